import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import type { Open } from './harness.js';
import { booking, context } from './support.js';

/** Bookings whose reply is lost or unreadable. */
export function lostReplies(adapter: CarrierAdapter, open: Open): void {
  const lost = [
    { kind: 'drop_after' },
    { kind: 'truncate' },
    { kind: 'truncate', value: 1 },
    { kind: 'status', value: 500, after: true },
    { kind: 'status', value: 302, after: true },
  ];
  for (const fault of lost) {
    test(`book: after ${JSON.stringify(fault)} the outcome is unknown, and a look-up finds the parcel`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      const request = booking();
      await wire?.fault({ operation: 'book', ...fault });

      const outcome = await adapter.book(request, context(account));
      const found = await adapter.findByReference?.(request.reference, context(account));

      t.is(outcome.kind, 'unknown');
      const ledger = (await wire?.ledger()) ?? [];
      t.is(ledger.length, 1);
      if (found === undefined) return;
      if (found.kind !== 'accepted') return t.fail(found.kind);
      t.is(found.value?.trackingCode, ledger[0]?.code);
    });
  }
}

/** A look-up must never mistake a failure for absence. */
export function lostLookUps(adapter: CarrierAdapter, open: Open): void {
  test('findByReference: finds nothing where nothing was booked', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = booking();
    await wire?.fault({ operation: 'book', kind: 'drop_before' });

    const outcome = await adapter.book(request, context(account));
    const found = await adapter.findByReference?.(request.reference, context(account));

    t.is(outcome.kind, 'unknown');
    t.deepEqual(found, { kind: 'accepted', value: null });
  });

  for (const fault of [
    { kind: 'truncate' },
    { kind: 'truncate', value: 1 },
    { kind: 'error_in_200', value: 1 },
  ]) {
    test(`findByReference: never takes ${JSON.stringify(fault)} for "nothing booked"`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      const request = booking();
      await adapter.book(request, context(account));
      await wire?.fault({ operation: 'find', ...fault });

      const found = await adapter.findByReference?.(request.reference, context(account));

      t.not(found?.kind, 'accepted');
    });
  }
}
