import test from 'ava';
import { lionwheel } from '../../../src/carriers/lionwheel/index.js';
import { openSandbox } from '../harness.js';
import { booking, context, labelContext, lionwheelAccount, parcel } from '../support.js';

async function open(t: { teardown: (close: () => Promise<void>) => void }) {
  const harness = await openSandbox('lionwheel', (url, _token, settings) => lionwheelAccount(url, settings));
  t.teardown(harness.close);
  const request = booking();
  const booked = await lionwheel.book(request, context(harness.account));
  if (booked.kind !== 'accepted') throw new Error(booked.kind);
  const { trackingCode, carrierReference } = booked.value;
  return { ...harness, ours: parcel(request.reference, trackingCode, carrierReference) };
}

test('cancel: a repeated request within a second succeeds only if the task is cancelled', async (t) => {
  const { account, wire, ours } = await open(t);
  await wire.fault({ operation: 'cancel', kind: 'status', value: 409 });

  const untold = await lionwheel.cancel?.(ours, context(account));
  const first = await lionwheel.cancel?.(ours, context(account));
  await wire.fault({ operation: 'cancel', kind: 'status', value: 409 });
  const again = await lionwheel.cancel?.(ours, context(account));

  t.is(untold?.kind, 'unknown');
  t.is(first?.kind, 'accepted');
  t.is(again?.kind, 'accepted');
});

test("cancel: a task in transit is refused in the carrier's words; that 403 is not about the key", async (t) => {
  const { account, wire, ours } = await open(t);
  await wire.advance(ours.trackingCode, 'out_for_delivery');

  const refused = await lionwheel.cancel?.(ours, context(account));
  await wire.configure({ token: 'another' });
  const locked = await lionwheel.cancel?.(ours, context(account));

  t.like(refused, { kind: 'rejected', code: 'http_403' });
  t.regex(refused?.kind === 'rejected' ? refused.text : '', /current status/);
  t.is(locked?.kind, 'unauthorized');
});

test("cancel: a refusal counts only when the task's status is known", async (t) => {
  const { account, wire, ours } = await open(t);
  await wire.fault({ operation: 'cancel', kind: 'status', value: 403 });
  await wire.fault({ operation: 'status', kind: 'status', value: 429 });

  const untold = await lionwheel.cancel?.(ours, context(account));

  t.is(untold?.kind, 'throttled');
});

test('cancel: a parcel known only by its code is found by our reference', async (t) => {
  const { account, wire, ours } = await open(t);
  const adopted = { ...ours, carrierReference: null };

  const read = await lionwheel.status?.fetch([adopted], context(account));
  const label = await lionwheel.label?.(adopted, labelContext(account));
  const cancelled = await lionwheel.cancel?.(adopted, context(account));
  const nobody = { ...adopted, reference: '00000000-0000-4000-8000-000000000000' };
  const missing = await lionwheel.cancel?.(nobody, context(account));

  t.like(read, { value: [{ trackingCode: ours.trackingCode }] });
  t.is(label?.kind, 'accepted');
  t.is(cancelled?.kind, 'accepted');
  t.like(missing, { kind: 'rejected', code: 'not_found' });
  t.is((await wire.ledger())[0]?.status, 'cancelled');
});
