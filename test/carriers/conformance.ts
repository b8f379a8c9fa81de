import test from 'ava';
import type { CarrierAccount, CarrierAdapter } from '../../src/carriers/contract.js';
import { HOSTILE } from './hostile.js';
import { booking, context, parcel, recipient } from './support.js';

/** A booked parcel as the sandbox's ledger shows it. */
export interface LedgerEntry {
  reference: string;
  code: string;
  status: string;
  requests: number;
}

/** What only carriers with a wire protocol can be tested with. */
export interface Wire {
  fault(fault: Record<string, unknown>): Promise<void>;
  ledger(): Promise<LedgerEntry[]>;
  advance(code: string, status: string): Promise<void>;
  configure(config: Record<string, unknown>): Promise<void>;
  /** The same account at an address where nothing listens. */
  deadAccount: CarrierAccount;
  /** The same account with a call time-out of 200 ms. */
  hastyAccount: CarrierAccount;
}

export interface Harness {
  account: CarrierAccount;
  wire: Wire | null;
  close(): Promise<void>;
}

/** The behaviour every adapter owes its callers, as tests of the file that calls this. */
export function conformance(adapter: CarrierAdapter, open: () => Promise<Harness>): void {
  declared(adapter);
  bookings(adapter, open);
  if (adapter.findByReference !== undefined) lostReplies(adapter, open);
  if (adapter.findByReference !== undefined) transport(adapter, open);
  laterCalls(adapter, open);
}

function declared(adapter: CarrierAdapter): void {
  test('declares a name, limits and a schema of its settings', (t) => {
    t.regex(adapter.provider, /^[a-z][a-z_]*$/);
    t.true(adapter.displayName.length > 0);
    t.true(adapter.limits.requestsPerSecond > 0 && adapter.limits.concurrency > 0);
    t.true('properties' in adapter.configSchema);
    t.true(adapter.duplicates !== 'rejects' || adapter.findByReference !== undefined);
    for (const status of ['delivered', 'returned', 'cancelled', 'lost'] as const) {
      t.false(adapter.canCancel(status));
    }
    t.true(adapter.canCancel('created'));
  });
}

function bookings(adapter: CarrierAdapter, open: () => Promise<Harness>): void {
  test('books a parcel', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = booking();

    const outcome = await adapter.book(request, context(account));

    t.deepEqual(adapter.checkBooking(request, account), {});
    if (outcome.kind !== 'accepted') return t.fail(outcome.kind);
    t.regex(outcome.value.trackingCode, /^\S{1,64}$/);
    if (wire === null) return;
    const ledger = await wire.ledger();
    t.deepEqual(
      ledger.map(({ reference, code }) => ({ reference, code })),
      [{ reference: request.reference, code: outcome.value.trackingCode }],
    );
  });

  test('answers a second booking of one reference as declared, without a second parcel', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = booking();
    const first = await adapter.book(request, context(account));

    const second = await adapter.book(request, context(account));

    if (adapter.duplicates === 'replays') t.deepEqual(second, first);
    if (adapter.duplicates === 'rejects') t.is(second.kind, 'duplicate');
    if (wire !== null) t.is((await wire.ledger()).length, 1);
  });

  for (const text of HOSTILE) {
    test(`books or reports, and never misplaces, the text ${JSON.stringify(text).slice(0, 50)}`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      const to = recipient({ name: `n${text}`, company: text, entrance: text, floor: text, apartment: text });
      const request = booking({ recipient: to, note: text, extraNote: text });

      const outcome = await adapter.book({ ...request, orderNumber: text }, context(account));

      t.is(outcome.kind, 'accepted');
      if (wire !== null)
        t.deepEqual(
          (await wire.ledger()).map((p) => p.reference),
          [request.reference],
        );
    });
  }
}

function lostReplies(adapter: CarrierAdapter, open: () => Promise<Harness>): void {
  const lost = [
    { kind: 'drop_after' },
    { kind: 'truncate' },
    { kind: 'truncate', value: 1 },
    { kind: 'status', value: 500, after: true },
    { kind: 'status', value: 302, after: true },
  ];
  for (const fault of lost) {
    test(`after ${JSON.stringify(fault)} the outcome is unknown and the look-up finds the parcel`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      const request = booking();
      await wire?.fault({ operation: 'book', ...fault });

      const outcome = await adapter.book(request, context(account));
      const found = await adapter.findByReference?.(request.reference, context(account));

      t.is(outcome.kind, 'unknown');
      const [entry] = (await wire?.ledger()) ?? [];
      if (found?.kind !== 'accepted') return t.fail(found?.kind);
      t.is(found.value?.trackingCode, entry?.code);
    });
  }

  test('a look-up finds nothing where nothing was booked', async (t) => {
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
    test(`a look-up never takes ${JSON.stringify(fault)} for "nothing booked"`, async (t) => {
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

function transport(adapter: CarrierAdapter, open: () => Promise<Harness>): void {
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
    test(`${JSON.stringify(fault)} on booking is ${expected}, and nothing is booked`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      await wire?.fault({ operation: 'book', ...fault });

      const outcome = await adapter.book(booking(), context(account));

      t.is(outcome.kind, expected);
      t.deepEqual(await wire?.ledger(), []);
      if (outcome.kind === 'throttled') t.is(outcome.retryAfterMs, 1000);
    });
  }

  test('is unavailable where nothing listens', async (t) => {
    const { wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.pass();

    const outcome = await adapter.book(booking(), context(wire.deadAccount));

    t.is(outcome.kind, 'unavailable');
  });

  test('a booking that runs into the time-out is unknown', async (t) => {
    const { wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.pass();
    await wire.fault({ operation: 'book', kind: 'latency_after', value: 1500 });

    const outcome = await adapter.book(booking(), context(wire.hastyAccount));

    t.is(outcome.kind, 'unknown');
    t.is((await wire.ledger()).length, 1);
  });

  test('a booking aborted under way is unknown, one aborted before is unavailable', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    await wire?.fault({ operation: 'book', kind: 'latency_after', value: 1500 });

    const underWay = await adapter.book(booking(), context(account, AbortSignal.timeout(200)));
    const before = await adapter.book(booking(), context(account, AbortSignal.abort()));

    t.is(underWay.kind, 'unknown');
    t.is(before.kind, 'unavailable');
  });

  test('a wrong token is unauthorized', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    await wire?.configure({ token: 'another' });

    const outcome = await adapter.book(booking(), context(account));

    t.is(outcome.kind, 'unauthorized');
  });

  test('settings that do not match the schema are rejected and sent nowhere', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);

    const outcome = await adapter.book(booking(), context({ ...account, settings: {} }));

    t.like(outcome, { kind: 'rejected', code: 'invalid_settings' });
    t.deepEqual(await wire?.ledger(), []);
  });
}

function laterCalls(adapter: CarrierAdapter, open: () => Promise<Harness>): void {
  const book = async (harness: Harness) => {
    const request = booking();
    const outcome = await adapter.book(request, context(harness.account));
    if (outcome.kind !== 'accepted') throw new Error(`The booking was ${outcome.kind}.`);
    return parcel(request.reference, outcome.value.trackingCode, outcome.value.carrierReference);
  };

  if (adapter.cancel !== undefined) {
    test('cancels a parcel, and again without harm', async (t) => {
      const harness = await open();
      t.teardown(harness.close);
      const booked = await book(harness);

      const first = await adapter.cancel?.(booked, context(harness.account));
      const second = await adapter.cancel?.(booked, context(harness.account));

      t.is(first?.kind, 'accepted');
      t.is(second?.kind, 'accepted');
      if (harness.wire !== null) t.is((await harness.wire.ledger())[0]?.status, 'cancelled');
    });
  }

  if (adapter.status !== undefined) {
    test('reads the statuses of a parcel and leaves out one it does not know', async (t) => {
      const harness = await open();
      t.teardown(harness.close);
      const booked = await book(harness);
      await harness.wire?.advance(booked.trackingCode, 'collected');
      const strange = parcel('00000000-0000-4000-8000-000000000000', '1');

      const known = await adapter.status?.fetch([booked], context(harness.account));
      const unknown = await adapter.status?.fetch([strange], context(harness.account));

      if (known?.kind !== 'accepted') return t.fail(known?.kind);
      t.deepEqual(
        known.value.map((s) => [s.trackingCode, s.events.map((e) => e.code)]),
        [[booked.trackingCode, ['created', 'collected']]],
      );
      t.true(
        known.value[0]?.events.every((e) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(e.occurredAt)),
      );
      t.deepEqual(unknown, { kind: 'accepted', value: [] });
    });
  }

  if (adapter.label !== undefined) {
    test('fetches the label as a PDF and takes nothing else for one', async (t) => {
      const harness = await open();
      t.teardown(harness.close);
      const booked = await book(harness);

      const label = await adapter.label?.(booked, context(harness.account));
      await harness.wire?.fault({ operation: 'label', kind: 'error_in_200' });
      const refused = await adapter.label?.(booked, context(harness.account));

      if (label?.kind !== 'accepted') return t.fail(label?.kind);
      t.is(Buffer.from(label.value.subarray(0, 5)).toString(), '%PDF-');
      t.not(refused?.kind, 'accepted');
    });
  }

  if (adapter.pickupPoints !== undefined) {
    test('lists pickup points', async (t) => {
      const harness = await open();
      t.teardown(harness.close);

      const outcome = await adapter.pickupPoints?.(context(harness.account));

      if (outcome?.kind !== 'accepted') return t.fail(outcome?.kind);
      t.true(outcome.value.length > 0);
      t.true(outcome.value.every((point) => point.id !== '' && point.name !== ''));
    });
  }
}
