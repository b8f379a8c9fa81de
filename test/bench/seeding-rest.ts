import type { Database } from '../../src/db/database.js';
import type { TestLicense } from '../support/factories.js';
import { NUMBERS } from './seeding.js';

/** Rows of the largest tables beside the shipments. */
const MANY = 100_000;

/** Rows that pages show beside shipments: `webhook`, `batch` and `draft` are those that have many rows. */
interface Rest {
  webhook: string;
  batch: string;
}

/** Fills what other pages of an account list: refusals, waits, deliveries, mails, items, exports, changes, accounts. */
export async function seedRest(db: Database, license: TestLicense, { webhook, batch }: Rest): Promise<void> {
  const { accountId, licenseId, carrierId } = license;
  const many = `FROM (${NUMBERS}) numbers WHERE n <`;
  await db.run(
    `INSERT INTO shipments (uuid, account_id, license_id, carrier_id, order_id, state, workflow_id, short_tracking_code,
       status_code, status_description, service_type, return_type, is_active, recipient_name, recipient_phone,
       recipient_city, recipient_country, details, created_at)
     SELECT UUID(), o.account_id, o.license_id, ?, o.id, IF(o.n % 50 = 0, 'reserved', 'refused'), CONCAT('r', o.n),
       LPAD(o.n, 10, 'R'), IF(o.n % 100 = 0, 'needs_attention', 'pending'), CONCAT('The carrier says ', o.n % 40), 1, 1, TRUE,
       CONCAT('Noa ', o.n), '0521111111', 'Haifa', 'IL', '{}', NOW(6) - INTERVAL o.n * 30 MINUTE
     FROM (SELECT id, account_id, license_id, ROW_NUMBER() OVER (ORDER BY id DESC) AS n FROM orders
           WHERE account_id = ? ORDER BY id DESC LIMIT 20000) o
     ORDER BY o.n DESC`,
    [carrierId, accountId],
  );
  await db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state)
     SELECT uuid, 'book', 1, IF(state = 'created', 'accepted', 'rejected')
     FROM (SELECT uuid, state FROM shipments ORDER BY id DESC LIMIT ?) s`,
    [MANY],
  );
  await db.run(
    `INSERT INTO webhook_deliveries (uuid, subscription_id, account_id, event, event_id, payload, status, attempts,
       attempts_allowed, created_at, completed_at)
     SELECT UUID(), ?, ?, 'shipment.created', UUID(), '{"event":"shipment.created"}',
       IF(n % 50 = 0, 'failed', 'succeeded'), 1, 6, NOW(6) - INTERVAL n MINUTE, NOW(6) ${many} ?`,
    [webhook, accountId, MANY],
  );
  await db.run(
    `INSERT INTO notification_logs (account_id, license_id, shipment_id, event, event_id, data, recipient, subject, status,
       created_at, sent_at)
     SELECT account_id, license_id, id, 'shipment.created', UUID(), '{}', 'dana@example.test', 'On its way', 'sent',
       created_at, created_at
     FROM (SELECT id, account_id, license_id, created_at FROM shipments WHERE license_id = ? LIMIT ?) s`,
    [licenseId, MANY],
  );
  await db.run(
    `INSERT INTO batch_items (batch_id, position, fingerprint, status, error)
     SELECT b.id, 10 + n, '', IF(n % 2 = 0, 'failed', 'created'),
       IF(n % 2 = 0, '{"code":"validation_failed","message":"The city is missing."}', NULL)
     FROM batches b JOIN (${NUMBERS}) numbers WHERE b.uuid = ? AND n < 1000`,
    [batch],
  );
  await db.run(
    `INSERT INTO batches (uuid, account_id, license_id, license_key, total, pending_count, created_count,
       payload_bytes, created_at)
     SELECT UUID(), ?, ?, ?, 200, 0, 200, 20000, NOW(6) - INTERVAL n HOUR ${many} 5000`,
    [accountId, licenseId, license.key],
  );
  await db.run(
    `INSERT INTO exports (account_id, license_id, format, filter, status, row_count, filename, created_at)
     SELECT ?, ?, 'csv', '{}', 'completed', 1000, 'shipments.csv', NOW(6) - INTERVAL n HOUR ${many} 2000`,
    [accountId, licenseId],
  );
  await db.run(
    `INSERT INTO audit_log (actor_kind, actor_name, actor_origin, action, target_kind, target_id, account_id,
       values_before, values_after, created_at)
     SELECT 'panel', CONCAT('user', n % 50, '@example.test'), '127.0.0.1', ELT(1 + n % 3, 'licenses.update',
       'webhooks.create', 'credentials.create'), 'license', n % 1000, ?, '{"name":"a"}', '{"name":"b"}',
       NOW(6) - INTERVAL n MINUTE ${many} ?`,
    [accountId, MANY],
  );
  await db.run(
    `INSERT INTO accounts (name, email) SELECT CONCAT('Shop ', n), CONCAT('shop', n, '@example.test') ${many} 5000`,
  );
  for (const table of [
    'shipments',
    'webhook_deliveries',
    'notification_logs',
    'audit_log',
    'batches',
    'accounts',
  ])
    await db.select(`ANALYZE TABLE ${table}`);
}
