import test from 'ava';
import { readBatchBody } from '../../../src/api/v2/batches/body.js';
import { readBatchBodyAside } from '../../../src/api/v2/batches/body-reader.js';

/** As many values as a batch may have, each under a key of its own: what costs most to read. */
function manyKeys(): Buffer {
  const item = `{${Array.from({ length: 240 }, (_, index) => `"${String(index * 7919).padStart(22, 'key')}":1`).join(',')}}`;
  return Buffer.from(`{"license_key":"lic","shipments":[${Array(2000).fill(item).join(',')}]}`);
}

test('a large batch is read beside the event loop, to the same result', async (t) => {
  const startedAt = performance.now();
  const alone = readBatchBody(manyKeys(), undefined);
  const aloneMs = performance.now() - startedAt;
  const body = manyKeys();
  const loop = watchLoop();

  const aside = await readBatchBodyAside(body, undefined);

  const heldMs = loop.heldMs();
  t.deepEqual(aside, alone);
  t.true(heldMs < aloneMs / 2, `the loop was held for ${heldMs} ms, ${aloneMs} ms in one piece`);
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
