import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import type { Harness, Open } from './harness.js';
import { booking, context, labelContext, parcel } from './support.js';

async function book(adapter: CarrierAdapter, harness: Harness) {
  const request = booking();
  const outcome = await adapter.book(request, context(harness.account));
  if (outcome.kind !== 'accepted') throw new Error(`The booking was ${outcome.kind}.`);
  return parcel(request.reference, outcome.value.trackingCode, outcome.value.carrierReference);
}

export function cancelling(adapter: CarrierAdapter, open: Open): void {
  test('cancel: cancels a parcel, also twice', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const booked = await book(adapter, harness);

    const first = await adapter.cancel?.(booked, context(harness.account));
    const second = await adapter.cancel?.(booked, context(harness.account));

    t.is(first?.kind, 'accepted');
    t.is(second?.kind, 'accepted');
    if (harness.wire !== null) t.is((await harness.wire.ledger())[0]?.status, 'cancelled');
  });
}

export function statuses(adapter: CarrierAdapter, open: Open): void {
  test('status: reads known parcels and leaves out unknown ones', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const booked = await book(adapter, harness);
    await harness.wire?.advance(booked.trackingCode, 'collected');
    const strange = parcel('00000000-0000-4000-8000-000000000000', '1');

    const known = await adapter.status?.fetch([booked], context(harness.account));
    const unknown = await adapter.status?.fetch([strange], context(harness.account));

    if (known?.kind !== 'accepted') return t.fail(known?.kind);
    t.deepEqual(
      known.value.map((s) => [s.trackingCode, s.events.map((e) => e.code)]),
      [[booked.trackingCode, harness.wire?.tellsNewestOnly ? ['collected'] : ['created', 'collected']]],
    );
    t.true(
      known.value[0]?.events.every((e) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(e.occurredAt)),
    );
    t.deepEqual(unknown, { kind: 'accepted', value: [] });
  });
}

export function labels(adapter: CarrierAdapter, open: Open): void {
  test('label: fetches the PDF and accepts nothing else', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const booked = await book(adapter, harness);

    const label = await adapter.label?.(booked, labelContext(harness.account));
    await harness.wire?.fault({ operation: 'label', kind: 'error_in_200' });
    const refused = await adapter.label?.(booked, labelContext(harness.account));

    if (label?.kind !== 'accepted') return t.fail(label?.kind);
    t.is(Buffer.from(label.value.subarray(0, 5)).toString(), '%PDF-');
    t.not(refused?.kind, 'accepted');
  });
}

export function points(adapter: CarrierAdapter, open: Open): void {
  test('pickupPoints: lists points', async (t) => {
    const harness = await open();
    t.teardown(harness.close);

    const outcome = await adapter.pickupPoints?.(context(harness.account));

    if (outcome?.kind !== 'accepted') return t.fail(outcome?.kind);
    t.true(outcome.value.length > 0);
    t.true(outcome.value.every((point) => point.id !== '' && point.name !== ''));
  });
}
