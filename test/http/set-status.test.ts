import test from 'ava';
import { listAudit } from '../../src/db/queries/accounts/audit-log.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient } from '../support/api-client.js';
import { insertTestLicense, insertTestShipment, type TestLicense } from '../support/factories.js';
import { startStack, type TestStack } from '../support/stack.js';
import { subscribe, withOwnLicense } from '../support/webhooks.js';

let stack: TestStack;
let api: ApiClient;
let license: TestLicense;
test.before(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  api = new ApiClient(await stack.startApi(), stack.account);
  license = await insertTestLicense(stack.db, { accountId: stack.account.id });
});
test.after.always(() => stack?.close());

const set = (uuid: string, body: object) => api.post(`/shipments/${uuid}/status`, body);

test('POST /shipments/{uuid}/status: moves a parcel of the own couriers, with events and webhooks', async (t) => {
  const own = { ...(await withOwnLicense(stack)).account };
  const key = own.licenseKeys.independent ?? '';
  const [row] = await stack.db.select(
    `SELECT l.id, c.carrier_id, c.id AS company_id FROM licenses l JOIN companies c ON c.id = l.company_id
     WHERE l.license_key = ?`,
    [key],
  );
  const mine = {
    accountId: own.id,
    licenseId: Number(row?.id),
    carrierId: Number(row?.carrier_id),
    companyId: Number(row?.company_id),
    key,
  };
  const webhook = await subscribe({ ...stack, account: own }, api, { url: 'http://127.0.0.1:9/hook' });
  const { uuid } = await insertTestShipment(stack.db, mine);

  const out = await set(uuid, { code: 'out_for_delivery', description: 'With Dana' });
  const late = await set(uuid, { code: 'collected', occurred_at: '2026-01-01T10:00:00+02:00' });
  const done = await set(uuid, { code: 'delivered' });
  const after = await set(uuid, { code: 'returned' });

  t.is(out.status, 200, out.text);
  t.like(out.body.data.status, { code: 'out_for_delivery', description: 'With Dana' });
  t.is(late.status, 422);
  t.regex(late.body.error.fields.occurred_at[0], /must not be before .*, when the shipment was booked/);
  t.is(late.body.error.code, 'validation_failed');
  t.like(done.body.data.status, { code: 'delivered', description: 'Delivered', is_delivered: true });
  t.is(after.status, 422);
  t.deepEqual(after.body.error.fields, { code: ['The shipment is Delivered, which is final.'] });
  const events = await stack.db.select(
    'SELECT event FROM webhook_deliveries WHERE subscription_id = ? ORDER BY id',
    [webhook.id],
  );
  t.deepEqual(
    events.map(({ event }) => event),
    ['shipment.status_changed', 'shipment.status_changed', 'shipment.delivered'],
  );
});

test('POST /shipments/{uuid}/status: a time before the present status is refused, and names it', async (t) => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const { uuid } = await insertTestShipment(stack.db, license, { created_at: '2026-01-01 00:00:00.000000' });
  const out = await set(uuid, { code: 'out_for_delivery', occurred_at: minutesAgo(5) });
  const since = out.body.data.history.at(-1).occurred_at;

  const older = await set(uuid, { code: 'delivered', occurred_at: minutesAgo(10) });
  const done = await set(uuid, { code: 'delivered', occurred_at: minutesAgo(2) });

  t.is(out.status, 200, out.text);
  t.is(older.status, 422);
  t.deepEqual(older.body.error.fields, {
    occurred_at: [
      `The occurred_at field must not be before ${since}, since when the shipment is Out for delivery.`,
    ],
  });
  t.is(done.body.data.status.code, 'delivered');
});

test('POST /shipments/{uuid}/status: within the minute of the present status it follows at once', async (t) => {
  const { uuid } = await insertTestShipment(stack.db, license, { created_at: '2026-01-01 00:00:00.000000' });
  await set(uuid, { code: 'out_for_delivery', occurred_at: '2026-02-02T10:00:45Z' });

  const done = await set(uuid, { code: 'delivered', occurred_at: '2026-02-02T10:00:00Z' });

  t.is(done.body.data.status.code, 'delivered', done.text);
});

test('POST /shipments/{uuid}/status: not for carriers that report, others, nor what is no status', async (t) => {
  const run = await insertTestLicense(stack.db, { accountId: stack.account.id, provider: 'run' });
  const { uuid: reported } = await insertTestShipment(stack.db, run);
  const { uuid } = await insertTestShipment(stack.db, license);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

  const answers = {
    reported: await set(reported, { code: 'delivered' }),
    missing: await set('019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a', { code: 'delivered' }),
    cancelled: await set(uuid, { code: 'cancelled' }),
    future: await set(uuid, { code: 'delivered', occurred_at: tomorrow }),
    nothing: await set(uuid, {}),
  };

  t.deepEqual(
    Object.values(answers).map(({ status, body }) => [status, body.error.code]),
    [
      [422, 'not_supported'],
      [404, 'not_found'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
      [422, 'validation_failed'],
    ],
  );
});

test('admin shipments set-status: the same by tracking code, and in the audit', async (t) => {
  const { uuid } = await insertTestShipment(stack.db, license, { tracking_code: 'OWN-1' });

  const run = await runAdmin(['shipments', 'set-status', 'OWN-1', 'collected', '--json'], stack.env);

  t.is(run.code, 0, run.err);
  t.deepEqual(JSON.parse(run.out), { uuid, status: 'collected' });
  const [row] = await listAudit(stack.db, { targetId: uuid }, { limit: 1 });
  t.like(row, { action: 'shipments.set-status', after: { status: 'collected' } });
});
