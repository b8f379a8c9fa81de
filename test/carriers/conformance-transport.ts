import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { eventually } from '../support/conditions.js';
import type { Open } from './harness.js';
import { booking, context } from './support.js';

/** Replies that mean that nothing was booked, or perhaps something. */
export function refusals(adapter: CarrierAdapter, open: Open): void {
  const answers = [
    { fault: { kind: 'status', value: 401 }, expected: 'unauthorized' },
    { fault: { kind: 'status', value: 403 }, expected: 'unauthorized' },
    { fault: { kind: 'status', value: 429 }, expected: 'throttled' },
    { fault: { kind: 'status', value: 400 }, expected: 'rejected' },
    { fault: { kind: 'status', value: 408 }, expected: 'unknown' },
    { fault: { kind: 'status', value: 500 }, expected: 'unknown' },
    { fault: { kind: 'status', value: 503 }, expected: 'unknown' },
    { fault: { kind: 'error_in_200', value: 100 }, expected: 'rejected' },
  ] as const;
  for (const { fault, expected } of answers) {
    test(`book: ${JSON.stringify(fault)} is ${expected}, and nothing is booked`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      await wire?.fault({ operation: 'book', ...fault });

      const outcome = await adapter.book(booking(), context(account));

      t.is(outcome.kind, expected);
      t.deepEqual(await wire?.ledger(), []);
      if (outcome.kind === 'throttled') t.is(outcome.retryAfterMs, 1000);
    });
  }
}

/** Failures below the protocol. */
export function transport(adapter: CarrierAdapter, open: Open): void {
  test('book: unavailable when nothing listens', async (t) => {
    const { wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.pass();

    const outcome = await adapter.book(booking(), context(wire.deadAccount));

    t.is(outcome.kind, 'unavailable');
  });

  test('book: unknown after a timeout', async (t) => {
    const { wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.pass();
    await wire.fault({ operation: 'book', kind: 'latency_after', value: 60_000 });

    const outcome = await adapter.book(booking(), context(wire.hastyAccount));

    t.is(outcome.kind, 'unknown');
    t.is(await eventually(async () => (await wire.ledger()).length || null, 'the parcel'), 1);
  });

  test('book: unknown when aborted during the call, unavailable when aborted before', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.pass();
    await wire.fault({ operation: 'book', kind: 'latency_after', value: 10_000 });
    const controller = new AbortController();

    const booked = adapter.book(booking(), context(account, controller.signal));
    await eventually(async () => (await wire.ledger()).length === 1, 'the booking to arrive');
    controller.abort();
    const underWay = await booked;
    const before = await adapter.book(booking(), context(account, AbortSignal.abort()));

    t.is(underWay.kind, 'unknown');
    t.is(before.kind, 'unavailable');
  });

  test('book: a wrong token is unauthorized', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    await wire?.configure({ token: 'another' });

    const outcome = await adapter.book(booking(), context(account));

    t.is(outcome.kind, 'unauthorized');
  });

  test('book: rejects invalid settings without sending anything', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);

    const outcome = await adapter.book(booking(), context({ ...account, settings: {} }));

    t.like(outcome, { kind: 'rejected', code: 'invalid_settings' });
    t.deepEqual(await wire?.ledger(), []);
  });
}
