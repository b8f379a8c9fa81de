import test from 'ava';
import type { CallContext } from '../../../src/carriers/contract.js';
import { run } from '../../../src/carriers/run/index.js';
import { startSandbox } from '../../../tools/doubles/carriers/server.js';
import { BOOKING_FAULTS, booking, context, runAccount } from '../support.js';

const FAULTS = [
  ...BOOKING_FAULTS,
  { operation: 'find', kind: 'drop_before' },
  { operation: 'find', kind: 'truncate' },
  { operation: 'find', kind: 'truncate', value: 1 },
  { operation: 'find', kind: 'status', value: 503 },
  { operation: 'find', kind: 'error_in_200', value: 1 },
];

/** Books as callers must: after an unknown outcome, only an empty look-up permits another try. */
async function bookSurely(request: ReturnType<typeof booking>, calls: CallContext): Promise<string> {
  for (;;) {
    const outcome = await run.book(request, calls);
    if (outcome.kind === 'accepted') return outcome.value.trackingCode;
    if (outcome.kind === 'throttled' || outcome.kind === 'unavailable') continue;
    if (outcome.kind !== 'unknown') throw new Error(outcome.kind);
    let found = await run.findByReference?.(request.reference, calls);
    while (found?.kind !== 'accepted') found = await run.findByReference?.(request.reference, calls);
    if (found.value !== null) return found.value.trackingCode;
  }
}

test('book: under any fault, outcomes are precise enough to book every parcel exactly once', async (t) => {
  const sandbox = await startSandbox('run');
  t.teardown(sandbox.close);
  const post = (path: string, body: unknown) =>
    fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) });
  // Without the carrier's duplicate check a second booking would show.
  await post('/__config', { rejectDuplicates: false });
  const calls = context(runAccount(sandbox.url));
  const booked = new Map<string, string>();

  for (let round = 0; round < 150; round += 1) {
    for (let hit = 0; hit < round % 4; hit += 1) {
      await post('/__faults', FAULTS[Math.floor(Math.random() * FAULTS.length)]);
    }
    const request = booking();
    booked.set(request.reference, await bookSurely(request, calls));
  }

  const ledger = (await (await fetch(`${sandbox.url}/__ledger`)).json()) as {
    reference: string;
    code: string;
  }[];
  t.is(ledger.length, 150);
  t.true(ledger.every(({ reference, code }) => booked.get(reference) === code));
});
