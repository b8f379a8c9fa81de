import { randomUUID } from 'node:crypto';
import test from 'ava';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense } from '../support/factories.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import { startMailServer } from '../support/mail-server.js';
import { patient } from '../support/patience.js';
import { startReceiver } from '../support/receiver.js';
import { client, clientOf } from '../support/typescript-client.js';
import { WEBHOOK_ENV } from '../support/webhooks.js';

const owner = new CleanUps();
const mail = await startMailServer();
owner.teardown(() => mail.close());
const { stack, api } = await startApiStack({ env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } });
owner.teardown(() => stack.close());
const parcels = clientOf(api.url, stack.account);
test.after.always(() => owner.end());

test('listShipments, listOrders: 10,000 rows, each once, with 429s in the middle', async (t) => {
  t.timeout(patient(180_000));
  const { account, config, db } = stack;
  const license = await insertTestLicense(db, { accountId: account.id, appKeys: config.appKeys });
  await fillShipments(db, license, 10_000);
  let asked = 0;
  const next = () => {
    asked += 1;
    return asked % 17 === 0 ? ('429' as const) : ('none' as const);
  };
  const proxy = await startFaultProxy(api.url, { next, slowMs: 0 });
  owner.teardown(() => proxy.close());
  const patientOne = clientOf(proxy.url, account);
  const query = { license_key: license.key, per_page: 100 };

  const shipments: string[] = [];
  for await (const { uuid } of patientOne.listShipments(query)) shipments.push(uuid);
  const orders: string[] = [];
  for await (const { order_id } of patientOne.listOrders(query)) orders.push(order_id);

  t.deepEqual([shipments.length, new Set(shipments).size], [10_000, 10_000]);
  t.deepEqual([orders.length, new Set(orders).size], [10_000, 10_000]);
  t.true((proxy.counts.get('429') ?? 0) >= 10);
});

test('createBatch: a good item becomes a parcel, a wrong one fails alone, a repeat is the same batch', async (t) => {
  const good = shipmentBody(stack.account, 'run');
  const wrong = shipmentBody(stack.account, 'run', { ship_data: { city: 'x'.repeat(300) } });
  const key = randomUUID();
  const sent = { license_key: good.license_key, shipments: [good, wrong] };

  const batch = await parcels.createBatch(sent, { key });
  const again = await parcels.createBatch(sent, { key });

  t.is(again.data.id, batch.data.id);
  t.true(again.isReplay);
  const summary = await eventually(async () => {
    const { data } = await parcels.getBatch(batch.data.id);
    return data.summary.pending === 0 && data.summary;
  }, 'the batch');
  t.like(summary, { total: 2, created: 1, failed: 1 });
  const done = [];
  for await (const item of parcels.listBatchItems(batch.data.id)) done.push(item);
  t.deepEqual(
    done.map(({ status, error }) => [status, error?.code]),
    [
      ['created', undefined],
      ['failed', 'validation_failed'],
    ],
  );
});

test('createExport, getShipmentLabel, dryRunShipment: a mail, a document, and a dry run that books nothing', async (t) => {
  t.timeout(patient(120_000));
  const body = shipmentBody(stack.account, 'run');
  const { license_key } = body;
  const dry = await parcels.dryRunShipment(body);
  const none = await parcels.listShipments({ license_key, 'filter[order_id]': body.order.id });
  const { data: parcel } = await parcels.createShipment(body);

  const label = await parcels.getShipmentLabel(parcel.uuid);
  const begun = await parcels.createExport({ license_key, format: 'csv', filter: {} });

  t.deepEqual(dry.data.warnings, []);
  t.is(none.data.length, 0);
  const pdf = await (await fetch(new URL(new URL(label.data.url).pathname, api.url))).text();
  t.true(pdf.startsWith('%PDF'), pdf.slice(0, 200));
  t.true(begun.isRunning);
  const sent = await eventually(async () => {
    const { data } = await parcels.getExport(begun.data.id, { license_key });
    return data.status === 'completed' && data;
  }, 'the export');
  t.is(sent.download_url, null);
});

test('verifyWebhook: an event of the service verifies with the old and the new secret', async (t) => {
  t.timeout(patient(120_000));
  const receiver = await startReceiver();
  owner.teardown(() => receiver.close());
  const body = shipmentBody(stack.account, 'run');
  const { license_key } = body;
  const wish = { license_key, url: receiver.url, events: ['shipment.created'] };
  const { data: hook } = await parcels.createWebhook(wish);
  const { data: rotated } = await parcels.rotateWebhookSecret(hook.id, { license_key });
  const { data: parcel } = await parcels.createShipment(body);

  const got = await eventually(
    async () => receiver.requests.find(({ body }) => body.includes(parcel.uuid)) ?? false,
    'the event',
  );

  for (const secret of [hook.secret, rotated.secret]) {
    const { event } = await client.verifyWebhook(Buffer.from(got.body), got.headers, [secret]);
    t.like(event, { event: 'shipment.created', data: { id: parcel.uuid } });
  }
  await t.throwsAsync(client.verifyWebhook(Buffer.from(`${got.body} `), got.headers, [hook.secret]), {
    instanceOf: client.WebhookError,
  });
  await parcels.deleteWebhook(hook.id, { license_key });
  const left = await parcels.listWebhooks({ license_key });
  t.false(left.data.some(({ id }: { id: string }) => id === hook.id));
});
