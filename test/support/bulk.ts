import type { Database } from '../../src/db/database.js';
import { insertTestOrder, insertTestShipment, type TestLicense } from './factories.js';

/** As many rows as one statement copies: a larger one would only make a larger transaction. */
const MOST_AT_ONCE = 100_000;

/** Fills a licence with created shipments, each with its order, inside the server by doubling what is there. */
export async function fillShipments(db: Database, license: TestLicense, count: number): Promise<void> {
  const order = await insertTestOrder(db, license, { order_id: 'bulk-1', number: '#1' });
  await insertTestShipment(db, license, {
    order_id: order.id,
    tracking_code: 'B000000001',
    recipient_name: 'Dana Levi, "the boss"',
    recipient_street: 'Dizengoff',
    recipient_number: '50',
    recipient_city: 'תל אביב',
    recipient_zip: '6433222',
    packages: 2,
    cod_amount: '120.50',
    cod_currency: 'ILS',
  });
  for (let filled = 1; filled < count; ) {
    const added = Math.min(filled, count - filled, MOST_AT_ONCE);
    await double(db, license, { filled, added });
    filled += added;
  }
  for (const table of ['orders', 'shipments']) await db.select(`ANALYZE TABLE ${table}`);
}

async function double(
  db: Database,
  { licenseId }: TestLicense,
  { filled, added }: { filled: number; added: number },
): Promise<void> {
  const numbered = (columns: string) => `${columns} FROM (
    SELECT *, ROW_NUMBER() OVER (ORDER BY id) + ? AS n FROM orders WHERE license_id = ? AND order_id LIKE 'bulk-%' LIMIT ?
  ) x`;
  await db.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, total, currency, billing, shipping)
     SELECT ${numbered(`account_id, license_id, CONCAT('bulk-', n), CONCAT('#', n), total, currency, billing, shipping`)}`,
    [filled, licenseId, added],
  );
  await db.run(
    `INSERT INTO shipments (uuid, account_id, license_id, carrier_id, order_id, state, workflow_id, tracking_code,
       short_tracking_code, status_code, status_description, service_type, return_type, recipient_name, recipient_phone,
       recipient_street, recipient_number, recipient_city, recipient_zip, recipient_country, packages, cod_amount,
       cod_currency, details, created_at)
     SELECT UUID(), s.account_id, s.license_id, s.carrier_id, o.id, s.state, o.id,
       CONCAT('B', LPAD(SUBSTRING(o.order_id, 6), 9, '0')), LPAD(SUBSTRING(o.order_id, 6), 10, 'B'), s.status_code,
       s.status_description, s.service_type, s.return_type, s.recipient_name, s.recipient_phone, s.recipient_street,
       s.recipient_number, s.recipient_city, s.recipient_zip, s.recipient_country, s.packages, s.cod_amount,
       s.cod_currency, s.details, s.created_at - INTERVAL SUBSTRING(o.order_id, 6) SECOND
     FROM orders o JOIN shipments s ON s.license_id = o.license_id AND s.tracking_code = 'B000000001'
     LEFT JOIN shipments taken ON taken.order_id = o.id
     WHERE o.license_id = ? AND o.order_id LIKE 'bulk-%' AND taken.id IS NULL`,
    [licenseId],
  );
}
