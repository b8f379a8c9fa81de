import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { saveNotificationSettings } from '../../src/db/queries/mails/notification-settings.js';
import { SHIPMENT_EVENTS } from '../../src/domain/events.js';
import { nowIso } from '../../src/lib/time.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startReceiver } from '../support/receiver.js';
import { type TestStack } from '../support/stack.js';
import { settledDeliveries, subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const double = carrierDouble('told');
/** The double, reporting every parcel as delivered. */
const adapter: CarrierAdapter = {
  ...double.adapter,
  status: {
    maxBulk: 10,
    fetch: async (parcels) => ({
      kind: 'accepted',
      value: parcels.map(({ trackingCode }) => ({
        trackingCode,
        events: [
          {
            code: 'delivered',
            carrierCode: '9',
            carrierDescription: 'Left with Dana',
            occurredAt: nowIso(),
            location: 'Haifa',
          },
        ],
      })),
    }),
  },
};
const UI = 'http://temporal.example:8233';
let mail: MailServer;
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  mail = await startMailServer();
  ({ stack, api } = await startApiStack(
    {
      doubles: [adapter],
      env: { ...WEBHOOK_ENV, SMTP_URL: mail.url, TEMPORAL_UI_URL: `${UI}/` },
    },
    { createWaitMs: 20_000 },
  ));
});
test.after.always(async () => {
  await stack?.close();
  await mail?.close();
});

async function admin(...args: string[]): Promise<string> {
  const { code, out, err } = await runAdmin(args, stack.env);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
  return out;
}

test.serial(
  'show: an order that was refused and then booked lists both shipments with their histories',
  async (t) => {
    const body = shipmentBody(stack.account, 'told');
    double.next.push({ kind: 'rejected', code: '7', text: 'No such street.' });
    const refused = await api.create(body);
    const created = await api.create(body);
    t.deepEqual([refused.status, created.status], [422, 201], refused.text + created.text);
    const { uuid, tracking_code: code } = created.body.data;

    const list = JSON.parse(await admin('show', body.order.id, '--json'));
    const [second, first] = list.shipments;
    const forPeople = await admin('show', body.order.id);
    const ofRefused = await admin('show', first.uuid);
    const ofCreated = await admin('show', code);

    t.is(list.shipments.length, 2);
    t.like(second, { uuid, tracking_code: code, merchant: 'Test merchant', carrier: 'Double told' });
    t.regex(forPeople, /^found +2 shipments; admin show <uuid> tells of one$/m);
    t.regex(ofRefused, /^status +Refused, nothing is booked: .*No such street\.$/m);
    t.regex(ofRefused, /^tracking_page +-$/m);
    t.regex(ofRefused, /^1 +\S+Z +rejected +7 +No such street\.$/m);
    t.regex(ofCreated, new RegExp(`^uuid +${uuid}$`, 'm'));
    t.regex(ofCreated, /^status +Created/m);
    t.regex(ofCreated, /^license +Double told$/m);
    t.regex(ofCreated, /^label +not made yet$/m);
    t.regex(ofCreated, /^tracking_page +http\S+\/track\/\w{10}$/m);
    t.regex(ofCreated, /^cancellation +-$/m);
  },
);

test.serial('show: a parcel booked after it was given up counts as booked', async (t) => {
  double.next.push({ kind: 'unknown', text: 'The line was cut.' });
  const body = shipmentBody(stack.account, 'told');
  const { uuid } = (await onceBegun(() => api.create(body))).body.data;
  await eventually(
    async () => JSON.parse(await admin('needs-attention', '--json')).length > 0,
    'needs_attention',
  );
  await admin('resolve', uuid, '--give-up', 'ordered twice', '--attempt', '1');

  const givenUp = await admin('show', uuid);
  await stack.db.run(`UPDATE carrier_attempts SET state = 'accepted' WHERE shipment_uuid = ?`, [uuid]);
  const unclaimed = await admin('show', uuid);

  t.regex(givenUp, /^status +Refused, nothing is booked: .*ordered twice/m);
  t.regex(unclaimed, /^status +Booked, and nobody's: .*ordered twice/m);
  await admin('resolve', uuid, '--give-up', 'cancelled by phone', '--attempt', '1');
  t.regex(await admin('show', uuid), /^status +Refused, nothing is booked: cancelled by phone$/m);
});

test.serial(
  'show: lists every step of a parcel that was adopted, delivered, mailed and notified',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    receiver.behave({ kind: 'answer', status: 200 }, { kind: 'answer', status: 503 });
    const [license] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [
      stack.account.licenseKeys['told'] ?? '',
    ]);
    await saveNotificationSettings(stack.db, {
      accountId: stack.account.id,
      licenseId: Number(license?.id),
      settings: { enabled: true, events: [...SHIPMENT_EVENTS], fromName: null, replyTo: null },
    });
    const webhook = await subscribe(stack, api, { url: `${receiver.url}/secret-path`, provider: 'told' });
    double.next.push({ kind: 'unknown', text: 'The line was cut.' });
    const ship_data = { contact_mail: 'dana@example.test' };
    const { uuid } = (await api.create(shipmentBody(stack.account, 'told', { ship_data }))).body.data;
    const waiting = await eventually(async () => {
      const told = await admin('show', uuid);
      return told.includes('Waits for a decision') && told;
    }, 'needs_attention');
    const [listed] = JSON.parse(await admin('needs-attention', '--json'));
    await admin('resolve', uuid, '--adopt', 'ADOPTED-1');
    await api.get(`/shipments/${uuid}/status?refresh=true`);
    await settledDeliveries(api, webhook, 3);
    await eventually(
      async () =>
        (await stack.db.select(`SELECT id FROM notification_logs WHERE status = 'pending'`)).length === 0,
      'the mails',
    );

    const told = await admin('show', 'ADOPTED-1');

    t.like(listed, { uuid, provider: 'told' });
    t.regex(listed.run, new RegExp(`^${UI}/namespaces/\\S+/workflows\\?query=WorkflowId%3D%22shipment`));
    t.regex(waiting, /^status +Waits for a decision \(admin resolve\): .+$/m);
    t.regex(waiting, /^1 +\S+Z +unknown .*The line was cut\.$/m);
    t.regex(told, /^status +Delivered: Left with Dana$/m);
    t.regex(told, /^1 +\S+Z +adopted +ADOPTED-1 +The line was cut\.$/m);
    t.regex(told, /^\S+Z +delivered .*Left with Dana +Haifa$/m);
    t.regex(told, /^\S+Z +shipment\.delivered +sent +1 +\S+Z +- +-$/m);
    const host = `127\\.0\\.0\\.1:${receiver.port}`;
    t.regex(told, new RegExp(`^\\S+Z +\\S+ +shipment\\.created +succeeded +2 +- +${host} +HTTP 200$`, 'm'));
    t.false(told.includes('secret-path'));
    t.regex(
      told,
      new RegExp(
        `^run +${UI}/namespaces/${stack.config.temporalNamespace}/workflows\\?query=WorkflowId%3D%22shipment`,
        'm',
      ),
    );
  },
);

test.serial('show: names a query when the UI is unknown, and reports an unknown name', async (t) => {
  const body = shipmentBody(stack.account, 'told');
  await api.create(body);

  const { TEMPORAL_UI_URL: _, ...withoutUi } = stack.env;
  const told = await runAdmin(['show', body.order.id], withoutUi);
  const nothing = await runAdmin(['show', 'אין'], stack.env);

  t.is(told.code, 0, told.err);
  t.regex(told.out, /^workflow_id +shipment\//m);
  t.regex(told.out, new RegExp(`^temporal_query +OrderId="${body.order.id}"$`, 'm'));
  t.is(nothing.err, 'admin: No shipment has the order, tracking code or uuid אין.\n');
  t.is(nothing.code, 1);
});
