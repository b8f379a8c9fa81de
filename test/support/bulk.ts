import type { Database, Executor } from '../../src/db/database.js';
import { repairShipmentCounts } from '../../src/db/queries/shipments/shipment-counts.js';
import type { TestLicense } from './factories.js';

const DIGITS = Array.from({ length: 10 }, (_value, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
const AT_ONCE = 10_000;
/** The numbers from 0 below {@link AT_ONCE}. */
const NUMBERS = `SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n
  FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e`;

/** Inserts created shipments with orders, a second apart, inside the server. */
export async function fillShipments(db: Database, license: TestLicense, count: number): Promise<void> {
  await db.session(async (session) => {
    // All referenced rows exist.
    await session.run('SET SESSION foreign_key_checks = 0');
    try {
      for (let from = 1; from <= count; from += AT_ONCE) {
        await fill(session, license, { from, to: Math.min(count, from + AT_ONCE - 1) });
      }
    } finally {
      await session.run('SET SESSION foreign_key_checks = 1');
    }
  });
  await repairShipmentCounts(db, license.licenseId);
  for (const table of ['orders', 'shipments']) await db.select(`ANALYZE TABLE ${table}`);
}

async function fill(
  db: Executor,
  { accountId, licenseId, carrierId }: TestLicense,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const { insertId } = await db.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, total, currency, billing, shipping)
     SELECT ?, ?, CONCAT('bulk-', ? + n), CONCAT('#', ? + n), 120.50, 'ILS', '{}', '{}'
     FROM (${NUMBERS}) numbers WHERE n <= ?`,
    [accountId, licenseId, from, from, to - from],
  );
  await db.run(
    `INSERT INTO shipments (uuid, account_id, license_id, carrier_id, order_id, state, workflow_id, tracking_code,
       short_tracking_code, status_code, status_description, service_type, return_type, recipient_name,
       recipient_phone, recipient_street, recipient_number, recipient_city, recipient_zip, recipient_country,
       packages, cod_amount, cod_currency, details, created_at)
     SELECT UUID(), o.account_id, o.license_id, ?, o.id, 'created', o.id, CONCAT('T', 700000000 + n),
       LPAD(o.id, 10, 'B'), 'created', 'Created', 1, 1, CONCAT('Dana Levi, "the boss" ', n), CONCAT('05', 10000000 + n),
       'Dizengoff', n % 200, 'תל אביב', 6000000 + n, 'IL', 1 + n % 3, 120.50, 'ILS', '{}',
       NOW(6) - INTERVAL 1000000 SECOND + INTERVAL n SECOND
     FROM (SELECT id, account_id, license_id, CAST(SUBSTRING(order_id, 6) AS UNSIGNED) AS n FROM orders
           WHERE id >= ? AND license_id = ?) o`,
    [carrierId, insertId, licenseId],
  );
}
