import test from 'ava';
import { readBatchBody } from '../../../src/api/v2/batches/body.js';
import { createBatchBodyReader } from '../../../src/api/v2/batches/body-reader.js';

const readBatchBodyAside = createBatchBodyReader();
const source = (accountId: number) => ({ accountId, licenseKeyInQuery: undefined, admit: async () => {} });

/** As many values as a batch may have, each under another key: the most expensive to read. */
function manyKeys(): Buffer {
  const item = `{${Array.from({ length: 240 }, (_, index) => `"${String(index * 7919).padStart(22, 'key')}":1`).join(',')}}`;
  return Buffer.from(`{"license_key":"lic","shipments":[${Array(2000).fill(item).join(',')}]}`);
}

test.serial('a large batch is read beside the event loop, to the same result', async (t) => {
  const startedAt = performance.now();
  const alone = readBatchBody(manyKeys(), undefined);
  const aloneMs = performance.now() - startedAt;
  const body = manyKeys();
  const loop = watchLoop();

  const aside = await readBatchBodyAside(body, source(1));

  const heldMs = loop.heldMs();
  t.deepEqual(aside, alone);
  t.true(heldMs < aloneMs / 2, `the loop was held for ${heldMs} ms, ${aloneMs} ms in one piece`);
});

test.serial('large batches are read in turns of the accounts, those of one in their order', async (t) => {
  const order: string[] = [];
  const read = async (accountId: number, name: string) => {
    await readBatchBodyAside(Buffer.from(JSON.stringify([name.repeat(200_000)])), source(accountId));
    order.push(name);
  };

  await Promise.all([
    ...['a', 'b', 'c', 'd', 'e'].map((name) => read(1, name)),
    ...['x', 'y'].map((name) => read(2, name)),
  ]);

  t.deepEqual(order, ['a', 'b', 'x', 'c', 'y', 'd', 'e']);
});

/** Watches for how long at most the event loop is held, until it is asked. */
function watchLoop() {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  return {
    heldMs() {
      clearInterval(timer);
      look();
      return longest;
    },
  };
}
