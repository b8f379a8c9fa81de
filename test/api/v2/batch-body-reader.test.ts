import { monitorEventLoopDelay } from 'node:perf_hooks';
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
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const body = manyKeys();
  delay.enable();

  const aside = await readBatchBodyAside(body, undefined);

  delay.disable();
  const heldMs = delay.max / 1e6;
  t.deepEqual(aside, alone);
  t.true(heldMs < aloneMs / 2, `the loop was held for ${heldMs} ms, ${aloneMs} ms in one piece`);
});
