import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { run } from '../../../src/carriers/run/index.js';
import { readPoints } from '../../../src/carriers/run/replies.js';
import { eventually } from '../../support/conditions.js';
import { listen } from '../../support/local-server.js';
import { context, runAccount } from '../support.js';

/** Maximum bytes of a list that the adapter accepts. */
const MOST_BYTES = 5_000_000;

/** A list of this size. */
function listOf(bytes: number): Buffer {
  const fields = { name: 'חנות', city: 'חיפה', street: 'הרצל', house: '7', remarks: 'א-ה 9:00-19:00' };
  const named = Object.entries(fields).map(([name, text]) => `<${name}><![CDATA[${text}]]></${name}>`);
  const spot = (code: number) =>
    `<spot_detail><n_code>${code}</n_code>${named.join('')}<mesirot_yn>y</mesirot_yn></spot_detail>`;
  const count = Math.floor((bytes - 100) / Buffer.byteLength(spot(100_000)));
  const spots = Array.from({ length: count }, (_, index) => spot(100_000 + index));
  return Buffer.from(`<?xml version="1.0"?><root><spots>${spots.join('')}</spots></root>`);
}

test('pickupPoints: a long list does not block the process', async (t) => {
  const body = listOf(MOST_BYTES);
  const { url, close } = await listen(createServer((_, response) => response.end(body)));
  t.teardown(close);
  const account = runAccount(url);
  const start = performance.now();
  const expected = readPoints({ contentType: 'text/xml', body });
  const inOneGoMs = performance.now() - start;
  const delay = monitorEventLoopDelay({ resolution: 5 });

  delay.enable();
  const points = await run.pickupPoints?.(context(account));
  // A delay is recorded in the following turn.
  const noted = delay.count;
  await eventually(() => delay.count > noted, 'the last delay');
  delay.disable();

  const heldMs = delay.max / 1e6;
  t.deepEqual(points, expected);
  t.is(expected.kind, 'accepted');
  t.true(heldMs < inOneGoMs / 3, `${heldMs} ms of ${inOneGoMs} ms`);
});
