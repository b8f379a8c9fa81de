import test from 'ava';
import { countPdfPages } from '../../src/documents/pdf.js';
import { createPdfPageCounter } from '../../src/documents/pdf-reader.js';
import { labelPdf } from '../../tools/doubles/carriers/pdf.js';
import { crowdedPdf, endlessPdf, oddPdf, packedPdf } from '../support/hostile-pdfs.js';
import { memoryMib } from '../support/memory.js';
import { patient } from '../support/patience.js';

const MIB = 1024 * 1024;

test.serial("countPages: counts a label's pages, also with object streams", async (t) => {
  const count = createPdfPageCounter();

  t.is(await count(labelPdf(['one']), 'a'), 1);
  t.is(await count(await packedPdf(), 'a'), 1);
  t.is(await count(Buffer.from('<html>'), 'a'), null);
  t.is(await count(Buffer.from('%PDF-1.4\nnothing\n%%EOF'), 'a'), null);
});

test.serial("countPages: the library's warnings are not logged", async (t) => {
  const said: string[] = [];
  const { write } = process.stderr;
  t.teardown(() => {
    process.stderr.write = write;
  });
  process.stderr.write = (text: string | Uint8Array) => {
    said.push(String(text));
    return true;
  };

  const pages = await createPdfPageCounter()(oddPdf(1000), 'a');

  // A thread's output arrives later.
  await new Promise((resolve) => setImmediate(resolve));
  t.is(pages, 1);
  t.deepEqual(said, []);
});

test.serial('countPages: a slow PDF takes no time of the process', async (t) => {
  const count = createPdfPageCounter();
  const pdf = endlessPdf(1500);
  const start = performance.now();
  await countPdfPages(pdf);
  const inOneGoMs = performance.now() - start;
  const before = performance.eventLoopUtilization();

  const pages = await count(pdf, 'a');

  const { active } = performance.eventLoopUtilization(before);
  t.is(pages, null);
  t.true(active < inOneGoMs / 3, `${active} ms of ${inOneGoMs} ms`);
});

test.serial('countPages: a PDF that takes too long is refused, and waiting ones are read', async (t) => {
  // The last one loads the library in a new thread.
  const timeoutMs = patient(5000);
  const count = createPdfPageCounter({ timeoutMs });
  const start = performance.now();

  const pages = await Promise.all([
    count(endlessPdf(200_000), 'a'),
    count(endlessPdf(200_000), 'a'),
    count(labelPdf(['one']), 'b'),
  ]);

  t.deepEqual(pages, [null, null, 1]);
  t.true(performance.now() - start >= 2 * timeoutMs);
});

test.serial('countPages: a PDF that unpacks to too much is refused before unpacking', async (t) => {
  const count = createPdfPageCounter();
  const bomb = await packedPdf({ spaceMib: 512 });
  t.is(await count(labelPdf(['one']), 'a'), 1);
  const before = memoryMib(process.pid, 'VmHWM');

  const pages = await count(bomb, 'a');

  const grownMib = memoryMib(process.pid, 'VmHWM') - before;
  t.true(bomb.length < MIB);
  t.is(pages, null);
  t.true(grownMib < 128, `${grownMib} MiB`);
  t.is(await count(await packedPdf({ spaceMib: 1 }), 'a'), 1);
  t.is(await count(await packedPdf({ steps: 2 }), 'a'), null);
});

test.serial(
  "countPages: a PDF that exceeds the thread's memory is refused, and the next one is read",
  async (t) => {
    const count = createPdfPageCounter({ timeoutMs: 60_000 });

    t.is(await count(crowdedPdf(80_000), 'a'), null);
    t.is(await count(labelPdf(['one']), 'a'), 1);
  },
);
