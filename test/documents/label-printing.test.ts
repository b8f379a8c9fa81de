import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import test from 'ava';
import { bareEnvironment } from '../../src/config/bare-environment.js';
import { BrowserPool, type Printable } from '../../src/documents/browser/pool.js';
import { end, launch } from '../../src/documents/browser/process.js';
import { composeLabels } from '../../src/documents/labels/document.js';
import { createLabelPress } from '../../src/documents/labels/press.js';
import { printLabels } from '../../src/documents/labels/print.js';
import { countPdfPages } from '../../src/documents/pdf.js';
import { DEFAULT_LABEL_OPTIONS, type LabelSource, type LabelType } from '../../src/domain/labels.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { ALL_FLAGS, fullHebrewSource, labelSource } from '../support/label-sources.js';
import { readPdf } from '../support/pdf.js';

const TOLERANCE_MM = 0.3;
const PATIENCE_MS = 40_000;
const OPTIONS = {
  executablePath: process.env.PUPPETEER_EXECUTABLE_PATH ?? '/usr/bin/chromium',
  pages: 2,
  sandbox: process.getuid?.() !== 0,
  environment: bareEnvironment(),
};

const pool = new BrowserPool(OPTIONS);
const press = createLabelPress(pool, OPTIONS.pages);
test.after.always(() => pool.close());

async function print(
  sources: readonly LabelSource[],
  labelType: LabelType,
  position = 1,
  logo: string | null = null,
) {
  const options = { ...DEFAULT_LABEL_OPTIONS, labelType, position };
  const document = await composeLabels(sources, options, { baseUrl: 'https://parcels.test' });
  return await printLabels(document, { logo }, press);
}

function page(body: string): Printable {
  return { frame: '', body };
}

test.serial('printLabels: a thermal page is 74 mm wide, one per package, with readable codes', async (t) => {
  const source = labelSource({ shipment: { packages: 2, returnType: 2 } });

  const pages = await readPdf(await print([source], 'thermal'));

  t.is(pages.length, 3);
  for (const page of pages) {
    t.true(Math.abs(page.widthMm - 74) <= TOLERANCE_MM, `${page.widthMm}`);
    t.true(Math.abs(page.heightMm - 105) <= TOLERANCE_MM, `${page.heightMm}`);
  }
  t.deepEqual(await sortedCodes(pages[0]), [
    'Code128 74100231',
    'DataMatrix 74100231',
    'QRCode https://parcels.test/track/7K2M9QX4TB',
  ]);
  t.regex(pages[2]?.text ?? '', /RETURN/);
});

test.serial('printLabels: a sheet is A4 with readable codes, also with everything in Hebrew', async (t) => {
  const sources = ['74100001', '7KM2XQ9T4B0CZ'].map(fullHebrewSource);

  const pages = await readPdf(await print(sources, 'A4', 2));

  t.is(pages.length, 1);
  t.true(Math.abs((pages[0]?.widthMm ?? 0) - 210) <= TOLERANCE_MM);
  t.true(Math.abs((pages[0]?.heightMm ?? 0) - 297) <= TOLERANCE_MM);
  const codes = await sortedCodes(pages[0]);
  t.is(codes.filter((code) => code === 'Code128 74100001').length, 3);
  t.is(codes.filter((code) => code === 'Code128 7KM2XQ9T4B0CZ').length, 3);
  t.is(codes.filter((code) => code === 'DataMatrix #1001').length, 6);
  t.is(codes.filter((code) => code.startsWith('QRCode')).length, 6);
});

test.serial('printLabels: every bar code of a hundred labels is readable', async (t) => {
  const wanted = Array.from({ length: 100 }, (_, index) => String(74_100_000 + index));
  const sources = wanted.map((trackingCode) => labelSource({ shipment: { trackingCode } }));

  const pages = await readPdf(await print(sources, 'A4'), 150);

  t.is(pages.length, 13);
  const found: string[] = [];
  for (const page of pages) {
    for (const { format, text } of await page.codes()) if (format === 'Code128') found.push(text);
  }
  t.deepEqual(found.sort(), wanted);
});

test.serial('printLabels: hostile texts are printed as text and fetch nothing', async (t) => {
  let hits = 0;
  const url = await startCanary(t, () => {
    hits += 1;
  });
  const text = `<img src=${url}/i><script>fetch('${url}')</script></style><link rel=stylesheet href=${url}>`;
  const source = labelSource({
    recipient: { name: text, company: 'x'.repeat(10_000), street: text, city: `</style>${text}` },
    details: { note: `${'word'.repeat(2500)} ${text}` },
    flags: ALL_FLAGS,
    items: [{ name: text, sku: text, variation: text, quantity: 1, virtual: false }],
  });

  const pages = await readPdf(await print([source], 'thermal'));

  t.is(pages.length, 1);
  t.regex(pages[0]?.text ?? '', /<img src=/);
  t.is((await sortedCodes(pages[0])).length, 3);
  t.is(hits, 0);
});

test.serial('printLabels: a page can neither fetch nor run anything', async (t) => {
  let hits = 0;
  const url = await startCanary(t, () => {
    hits += 1;
  });
  const html = `<!doctype html><link rel=stylesheet href=${url}/a><img src=${url}/b><iframe src=${url}/c></iframe>
    <iframe src=file:///etc/passwd></iframe><script>document.body.textContent='ran';fetch('${url}/d')</script><p>still here`;

  const pdfs = [
    await pool.print({ frame: html, body: '<p>and here' }, PATIENCE_MS),
    await pool.print(page(html), PATIENCE_MS),
  ];

  const texts = (await Promise.all(pdfs.map((pdf) => readPdf(pdf))))
    .flat()
    .map(({ text }) => text)
    .join();
  t.regex(texts, /and here.*still here/);
  t.notRegex(texts, /ran|root:/);
  t.is(hits, 0);
});

test.serial('printLabels: a logo is embedded in the page', async (t) => {
  const pixel =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  const [page] = await readPdf(await print([labelSource()], 'thermal', 1, pixel));

  t.notRegex(page?.text ?? '', /Demo Shop Ltd/);
});

for (const labelType of ['thermal', 'A4'] as const) {
  test.serial(`printLabels: the label of a cancelled shipment is marked, ${labelType}`, async (t) => {
    const status = {
      code: 'cancelled',
      description: 'Cancelled',
      at: '2026-11-21T09:30:00.123456Z',
    } as const;

    const pages = await readPdf(
      await print([labelSource({ shipment: { status } }), labelSource()], labelType),
    );

    t.is(
      pages
        .map(({ text }) => text)
        .join(' ')
        .split('CANCELLED').length - 1,
      1,
    );
  });
}

test.serial('printLabels: more labels than a pass takes become one document', async (t) => {
  const of = (packages: number) => labelSource({ shipment: { packages } });

  const pdf = await print([of(99), of(99), of(3)], 'thermal');

  t.is(await countPdfPages(pdf), 201);
});

test.serial('browser: one killed while printing is replaced and leaves nothing behind', async (t) => {
  const mine = new BrowserPool(OPTIONS);
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());
  await mine.print(page('<p>warm'), PATIENCE_MS);
  const [pid] = browsersOfThisProcess().filter((one) => !others.has(one));
  const folders = foldersOf(pid ?? 0);
  t.is(folders.length, 2);
  const heavy = `<p>done</p>${'<p>line</p>'.repeat(6_000)}`;

  const printing = mine.print(page(heavy), PATIENCE_MS);
  process.kill(pid ?? 0, 'SIGKILL');
  const pdf = await printing;

  t.true(Number(await countPdfPages(pdf)) > 50);
  await mine.close();
  await eventually(
    () => browsersOfThisProcess().every((one) => others.has(one)),
    'no browser left, not even dead',
  );
  t.deepEqual(folders.filter(existsSync), []);
});

test.serial('browser: a closed one leaves nothing behind', async (t) => {
  const mine = new BrowserPool(OPTIONS);
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());
  await mine.print(page('<p>once'), PATIENCE_MS);
  const folders = foldersOf(browsersOfThisProcess().find((one) => !others.has(one)) ?? 0);
  t.is(folders.length, 2);

  await mine.close();

  t.deepEqual(folders.filter(existsSync), []);
});

test.serial('browser: a pipe reset after its end does not end the process', async (t) => {
  const running = await launch(OPTIONS);
  const pipes = running.browser.process()?.stdio.slice(3) ?? [];

  await end(running);

  t.is(pipes.length, 2);
  for (const pipe of pipes) t.notThrows(() => pipe?.emit('error', new Error('read ECONNRESET')));
});

test.serial('browser: it is replaced after its number of documents, and the old one ends', async (t) => {
  const mine = new BrowserPool({ ...OPTIONS, documentsPerBrowser: 4 });
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());
  await mine.print(page('<p>first'), PATIENCE_MS);
  const [worn] = browsersOfThisProcess().filter((one) => !others.has(one));

  await Promise.all(Array.from({ length: 12 }, () => mine.print(page('<p>one of many'), PATIENCE_MS)));
  await Promise.all(Array.from({ length: 2 }, () => mine.print(page('<p>each page'), PATIENCE_MS)));

  await eventually(() => !browsersOfThisProcess().includes(worn ?? 0), 'the end of the one that is worn');
  t.true(browsersOfThisProcess().filter((one) => !others.has(one)).length <= 2);
});

test.serial('browser: it gets only the environment that it needs', async (t) => {
  process.env.APP_KEY_OF_A_TEST = 'secret';
  t.teardown(() => {
    delete process.env.APP_KEY_OF_A_TEST;
  });
  const mine = new BrowserPool(OPTIONS);
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());

  await mine.print(page('<p>once'), PATIENCE_MS);

  const [pid] = browsersOfThisProcess().filter((one) => !others.has(one));
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map((one) => one.split('=')[0]);
  t.true(names.includes('PATH'));
  t.false(names.includes('APP_KEY_OF_A_TEST'), names.join(' '));
});

test.serial('browser: a hanging one is ended and replaced', async (t) => {
  const mine = new BrowserPool({ ...OPTIONS, pages: 1 });
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());
  await mine.print(page('<p>warm'), PATIENCE_MS);
  const [pid] = browsersOfThisProcess().filter((one) => !others.has(one));
  process.kill(pid ?? 0, 'SIGSTOP');

  const pdf = await mine.print(page('<p>again'), 2500);

  t.is(await countPdfPages(pdf), 1);
  await eventually(() => !browsersOfThisProcess().includes(pid ?? 0), 'the end of the one that hung');
});

test.serial('browser: an idle one ends, and the next document starts another', async (t) => {
  const mine = new BrowserPool({ ...OPTIONS, restAfterMs: 50 });
  t.teardown(() => mine.close());
  const others = new Set(browsersOfThisProcess());

  await mine.print(page('<p>once'), PATIENCE_MS);
  const [pid = 0] = browsersOfThisProcess().filter((one) => !others.has(one));
  await eventually(() => !browsersOfThisProcess().includes(pid), 'the end of the browser');
  const pdf = await mine.print(page('<p>again'), PATIENCE_MS);

  t.true(pid > 0);
  t.is(await countPdfPages(pdf), 1);
});

test.serial('browser: more documents than pages wait', async (t) => {
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, index) => pool.print(page(`<p>document ${index}`), PATIENCE_MS)),
  );

  const texts = await Promise.all(all.map(async (pdf) => (await readPdf(pdf))[0]?.text));
  t.deepEqual(
    texts,
    all.map((_, index) => `document ${index}`),
  );
});

test('browser: a missing or closed one is an error', async (t) => {
  const missing = new BrowserPool({ ...OPTIONS, executablePath: '/nowhere/chromium' });
  const closed = new BrowserPool(OPTIONS);
  await closed.close();

  await t.throwsAsync(missing.print(page('<p>'), 5000));
  await t.throwsAsync(closed.print(page('<p>'), 5000), { message: /closed/ });
});

async function startCanary(t: Owner, onHit: () => void): Promise<string> {
  const canary = createServer((_request, response) => {
    onHit();
    response.end('body{display:none}');
  });
  t.teardown(() => canary.close());
  await once(canary.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
}

async function sortedCodes(page: Awaited<ReturnType<typeof readPdf>>[number] | undefined): Promise<string[]> {
  return ((await page?.codes()) ?? []).map(({ format, text }) => `${format} ${text}`).sort();
}

/** A browser's profile and socket folders. */
function foldersOf(pid: number): string[] {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const profile = /--user-data-dir=([^\0]+)/.exec(command)?.[1] ?? '';
  return [profile, dirname(readlinkSync(join(profile, 'SingletonSocket')))].filter(existsSync);
}

/** Browsers started by this process, zombies included. */
function browsersOfThisProcess(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(parent) === process.pid && /chrom/.test(stat);
      } catch {
        return false;
      }
    })
    .map(Number);
}
