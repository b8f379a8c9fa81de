import test from 'ava';
import { cargo } from '../../../src/carriers/cargo/index.js';
import { openSandbox } from '../harness.js';
import { booking, cargoAccount, context, labelContext, parcel } from '../support.js';

for (const settings of [
  { label_format: 'base64' },
  { label_format: 'pdf' },
  { label_sheet: 'a4', label_position: 3 },
]) {
  test(`label: fetched with ${JSON.stringify(settings)}`, async (t) => {
    const { account, close } = await openSandbox('cargo', (url) => cargoAccount(url, settings));
    t.teardown(close);
    const request = booking();
    const booked = await cargo.book(request, context(account));
    if (booked.kind !== 'accepted') return t.fail(booked.kind);

    const ours = parcel(request.reference, booked.value.trackingCode);
    const label = await cargo.label?.(ours, labelContext(account));

    if (label?.kind !== 'accepted') return t.fail(label?.kind);
    const text = Buffer.from(label.value).toString('latin1');
    t.true(text.includes(`Shipment ${booked.value.trackingCode}`));
    t.is(text.includes('A4 position 3'), settings.label_sheet === 'a4');
  });
}

test('a parcel booked under the box number is read and cancelled under it', async (t) => {
  const { account, wire, close } = await openSandbox('cargo', (url) =>
    cargoAccount(url, { box_customer_code: 11 }),
  );
  t.teardown(close);
  const request = booking({ pickupPointId: '10003' });
  const booked = await cargo.book(request, context(account));
  if (booked.kind !== 'accepted') return t.fail(booked.kind);
  const { trackingCode, carrierReference } = booked.value;
  const ours = parcel(request.reference, trackingCode, carrierReference);

  const read = await cargo.status?.fetch([ours], context(account));
  const unknown = await cargo.status?.fetch([{ ...ours, carrierReference: null }], context(account));
  const cancelled = await cargo.cancel?.(ours, context(account));

  t.like(read, { value: [{ trackingCode }] });
  t.deepEqual(unknown, { kind: 'accepted', value: [] });
  t.is(cancelled?.kind, 'accepted');
  t.is((await wire.ledger())[0]?.status, 'cancelled');
});
