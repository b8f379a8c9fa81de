import { createHmac } from 'node:crypto';
import test from 'ava';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { CARRIER_SETTINGS } from '../support/carrier-settings.js';
import { eventually } from '../support/conditions.js';
import { send } from '../support/http-send.js';
import { appliedEvents, inboundUrlOf, pointWebhooks, storedEvents } from '../support/inbound.js';
import { startReceiver } from '../support/receiver.js';
import type { SandboxClient } from '../support/sandbox-client.js';
import { type TestStack } from '../support/stack.js';
import { createShipment, subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const SECRET = CARRIER_SETTINGS.wolt_drive.secrets.webhook_secret ?? '';
const PROVIDER = 'wolt_drive';
/** Far below a poll's or the sweep's minute, and above what a busy machine needs. */
const WITHIN_MS = 30_000;
let stack: TestStack;
let api: ApiClient;
let sandbox: SandboxClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ env: WEBHOOK_ENV }));
  sandbox = await pointWebhooks(stack, api.url, PROVIDER);
});
test.after.always(() => stack?.close());

test.serial(
  'signed events, unordered and repeated, make the status and are passed on within seconds',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    await subscribe(stack, api, {
      url: receiver.url,
      provider: PROVIDER,
      events: ['shipment.status_changed'],
    });
    const { uuid, tracking_code: code } = await createShipment(stack, api, PROVIDER);

    const out = await sandbox.advance(code, 'out_for_delivery', { at: ago(200) });
    await appliedEvents(stack, PROVIDER, code, 1);
    const first = await eventually(() => receiver.requests[0], 'the webhook of ours', WITHIN_MS);
    const picked = await sandbox.advance(code, 'collected', { at: ago(300), times: 2 });
    await appliedEvents(stack, PROVIDER, code, 2);
    const delivered = await sandbox.advance(code, 'delivered', { at: ago(100), times: 3 });
    const late = await sandbox.advance(code, 'order.pickup_arrival', { at: ago(400) });
    await appliedEvents(stack, PROVIDER, code, 4);

    t.deepEqual(
      [out, picked, delivered, late].map(({ webhook_status }) => webhook_status),
      [200, 200, 200, 200],
    );
    t.is(JSON.parse(first.body).data.status, 'out_for_delivery');
    const { data } = (await api.get(`/shipments/${uuid}/status`)).body;
    t.is(data.status.code, 'delivered');
    t.deepEqual(data.history.flatMap((event: { carrier_code: string }) => event.carrier_code || []).sort(), [
      'order.delivered',
      'order.dropoff_started',
      'order.picked_up',
      'order.pickup_arrival',
    ]);
    const told = await eventually(() => receiver.requests.length === 2 && receiver.requests, 'both changes');
    t.is(JSON.parse(told[1]?.body ?? '').data.status, 'delivered');
  },
);

test.serial('a forged and an expired message are refused, and change nothing', async (t) => {
  const { uuid, tracking_code: code } = await createShipment(stack, api, PROVIDER);
  const before = (await api.get(`/shipments/${uuid}/status`)).text;
  const url = await inboundUrlOf(stack, api.url, PROVIDER);
  const payload = {
    type: 'order.delivered',
    dispatched_at: new Date().toISOString(),
    details: { wolt_order_reference_id: code, merchant_order_reference_id: uuid },
  };

  const forged = await sandbox.advance(code, 'delivered', { forge: true });
  const expired = await send(url, 'POST', {
    json: { token: tokenOf({ ...payload, exp: Math.floor(Date.now() / 1000) - 3600 }) },
  });
  const unsigned = await send(url, 'POST', { json: { token: tokenOf(payload, { alg: 'none' }) } });
  const senseless = await send(url, 'POST', { json: { order: code } });

  t.is(forged.webhook_status, 401);
  t.deepEqual([expired.status, unsigned.status, senseless.status], [401, 401, 400]);
  t.is((await api.get(`/shipments/${uuid}/status`)).text, before);
  t.deepEqual(await eventsOf(code), []);
});

test.serial(
  'a booking whose answer was lost is settled by the carrier’s webhook, and booked once',
  async (t) => {
    await sandbox.fault({ operation: 'book', kind: 'drop_after' });
    const pending = await api.create(shipmentBody(stack.account, PROVIDER));
    const { uuid } = pending.body.data;
    await eventually(
      async () => (await api.get(`/shipments/${uuid}`)).body.data.status.code === 'needs_attention',
      'needs_attention',
    );
    const [parcel, ...others] = (await sandbox.ledger()).filter(({ reference }) => reference === uuid);
    const code = parcel?.code ?? '';

    await sandbox.advance(code, 'collected');
    await appliedEvents(stack, PROVIDER, code, 1);

    t.is(pending.status, 202, pending.text);
    t.deepEqual(others, []);
    const { data } = (await api.get(`/shipments/${uuid}`)).body;
    t.like(data, { tracking_code: code, status: { code: 'collected' } });
  },
);

function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

function tokenOf(payload: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

async function eventsOf(code: string) {
  return (await storedEvents(stack, PROVIDER)).filter((event) => event.tracking_code === code);
}
