import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createCancelActivity } from '../../activities/carrier-cancelling.js';
import { createCarrierSlots } from '../../activities/carrier-slots.js';
import type { CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { createCarrierAccounts } from '../../src/services/carriers/carrier-accounts.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { type TestStack } from '../support/stack.js';

/** Cancels without a word. */
const silent: CarrierAdapter = {
  ...carrierDouble('silent').adapter,
  cancel: async () => ({ kind: 'accepted', value: { text: ' ' } }),
};
/** Refuses to cancel what is cancelled already, and answers the next questions with what is in `trouble`. */
const trouble: Extract<Outcome<never>, { text: string }>[] = [];
const forgetful: CarrierAdapter = {
  ...carrierDouble('forgetful').adapter,
  cancel: async () => ({ kind: 'rejected', code: 'final', text: 'The parcel has reached its end.' }),
  status: {
    maxBulk: 1,
    fetch: async ([parcel]) => {
      const event = { carrierCode: 'X', carrierDescription: '', occurredAt: new Date().toISOString() };
      const events = [{ ...event, code: 'cancelled' as const, location: null }];
      const value = [{ trackingCode: parcel?.trackingCode ?? '', events }];
      return trouble.shift() ?? { kind: 'accepted', value };
    },
  },
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [silent, forgetful], multipleShipment: false }));
});

test.after.always(() => stack?.close());

test.serial('a cancelled shipment is cancelled at the carrier, inactive and stays so', async (t) => {
  const uuid = await api.created('run');

  const cancelled = await api.post(`/shipments/${uuid}/cancel`, { reason: 'changed their mind' });
  const again = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(cancelled.status, 200, cancelled.text);
  t.is(cancelled.body.data.status.code, 'cancelled');
  t.false(cancelled.body.data.is_active);
  t.is(again.status, 200);
  t.is(again.text, cancelled.text);
  t.is(cancelled.body.data.status.description, 'המשלוח בוטל');
  const { body } = await api.get(`/shipments/${uuid}/status`);
  t.like(body.data.history.at(-1), {
    code: 'cancelled',
    description: 'changed their mind',
    carrier_description: 'המשלוח בוטל',
  });
  const entry = (await stack.sandbox.ledger()).find((one) => one.reference === uuid);
  t.is(entry?.status, 'cancelled');
  await keepHistory(handleOf(uuid), 'cancelShipment', 'cancelled');
});

test.serial('a missing shipment is refused as when it is read', async (t) => {
  const uuid = randomUUID();

  const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(cancelled.status, 404);
  t.is(cancelled.text, (await api.get(`/shipments/${uuid}`)).text);
});

test.serial('twenty cancellations at once are one', async (t) => {
  const uuid = await api.created('run');

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.post(`/shipments/${uuid}/cancel`, {})),
  );

  t.is(new Set(answers.map((one) => `${one.status} ${one.text}`)).size, 1);
  const { body } = await api.get(`/shipments/${uuid}/status`);
  t.is(body.data.history.filter((event: { code: string }) => event.code === 'cancelled').length, 1);
});

test.serial('what the carrier refuses to cancel is 409 with its text', async (t) => {
  const uuid = await api.created('run');
  await stack.sandbox.fault({ operation: 'cancel', kind: 'error_in_200', value: 0 });

  const refused = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(refused.status, 409, refused.text);
  t.is(refused.body.error.code, 'shipment_not_cancellable');
  await keepHistory(handleOf(uuid), 'cancelShipment', 'refused');
});

test.serial('a cancellation whose answer is lost is asked again and done once', async (t) => {
  const uuid = await api.created('run');
  await stack.sandbox.fault({ operation: 'cancel', kind: 'drop_after' });

  const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(cancelled.status, 200, cancelled.text);
  t.is(cancelled.body.data.status.code, 'cancelled');
  await keepHistory(handleOf(uuid), 'cancelShipment', 'lost-reply');
});

test.serial('a refusal counts only once the carrier says how the parcel stands', async (t) => {
  const uuid = await api.created('forgetful');
  trouble.push(
    { kind: 'unknown', text: 'connection reset' },
    { kind: 'unavailable', text: 'nothing listens there' },
    { kind: 'throttled', retryAfterMs: undefined, text: 'too many requests' },
  );

  const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(cancelled.status, 200, cancelled.text);
  t.is(cancelled.body.data.status.code, 'cancelled');
  t.deepEqual(trouble, []);
});

test.serial('settings that cannot be read refuse a cancellation at once', async (t) => {
  const uuid = await api.created('run');
  const [settings] = await stack.db.select(
    `SELECT t.id, t.secrets FROM license_settings t JOIN shipments s ON s.license_id = t.license_id
     WHERE s.uuid = ?`,
    [uuid],
  );
  await stack.db.run('UPDATE license_settings SET secrets = ? WHERE id = ?', [
    Buffer.from('no secrets'),
    Number(settings?.id),
  ]);
  const accounts = createCarrierAccounts(stack.db, stack.config.appKeys, carrierFor);
  const cancel = createCancelActivity({
    db: stack.db,
    carriers: carrierFor,
    accounts,
    wake: () => undefined,
    onRestored: () => undefined,
    lostLooks: new Slots(),
    temporal: stack.temporal,
    slotsFor: createCarrierSlots(),
  });
  const [shipment] = await stack.db.select('SELECT license_id FROM shipments WHERE uuid = ?', [uuid]);
  const input = {
    accountId: stack.account.id,
    shipmentUuid: uuid,
    licenseId: Number(shipment?.license_id),
    provider: 'run',
  };

  const answer = await new MockActivityEnvironment().run(cancel, input);
  await stack.db.run('UPDATE license_settings SET secrets = ? WHERE id = ?', [
    settings?.secrets as Buffer,
    Number(settings?.id),
  ]);

  t.deepEqual(answer, { kind: 'refused', text: "The license's settings for the carrier cannot be read." });
});

test.serial('a delivered shipment is not cancellable', async (t) => {
  const uuid = await api.created('run');
  const { body } = await api.get(`/shipments/${uuid}`);
  await stack.sandbox.advance(body.data.tracking_code, 'delivered');
  await eventually(async () => {
    const read = await api.get(`/shipments/${uuid}/status?refresh=true`);
    return read.body.data.status.code === 'delivered';
  }, 'the delivered status');

  const refused = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(refused.status, 409);
  t.is(refused.body.error.code, 'shipment_not_cancellable');
});

test.serial('a carrier of our own couriers takes every cancellation', async (t) => {
  const uuid = await api.created('independent');

  const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(cancelled.status, 200, cancelled.text);
  t.is(cancelled.body.data.status.code, 'cancelled');
});

test.serial('an order whose only parcel was returned is shipped again', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  const first = await api.create(body);
  const { uuid, tracking_code: code } = first.body.data;
  const early = await api.create(body, 'early');
  await stack.sandbox.advance(code, 'returned');
  await eventually(async () => {
    const read = await api.get(`/shipments/${uuid}/status?refresh=true`);
    return read.body.data.status.code === 'returned';
  }, 'the returned status');

  const again = await api.create(body, 'again');

  t.is(early.body.error?.code, 'duplicate_request', early.text);
  t.is(again.status, 201, again.text);
  t.false((await api.get(`/shipments/${uuid}`)).body.data.is_active);
  const active = await api.get(`/shipments?filter[active]=true&filter[order_id]=${body.order.id}`);
  t.deepEqual(
    active.body.data.map((one: { uuid: string }) => one.uuid),
    [again.body.data.uuid],
  );
});

for (const reason of ['', '  ', null, 'too late']) {
  test.serial(
    `where the carrier says nothing, the status has its name, reason ${JSON.stringify(reason)}`,
    async (t) => {
      const uuid = await api.created('silent');

      const cancelled = await api.post(`/shipments/${uuid}/cancel`, { reason });

      t.is(cancelled.status, 200, cancelled.text);
      t.is(cancelled.body.data.status.description, 'Cancelled');
      const { body } = await api.get(`/shipments/${uuid}/status`);
      t.is(body.data.history.at(-1).description, reason?.trim() || 'Cancelled');
      t.is(body.data.history.at(-1).carrier_description, null);
    },
  );
}

function handleOf(uuid: string) {
  return stack.temporal.workflow.getHandle(workflowIds.cancelShipment(uuid));
}
