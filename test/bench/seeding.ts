import type { Database } from '../../src/db/database.js';
import { repairShipmentCounts } from '../../src/db/queries/shipments/shipment-counts.js';
import type { AppKeys } from '../../src/lib/app-keys.js';
import { insertTestAccount, insertTestLicense, type TestLicense } from '../support/factories.js';

const DIGITS = Array.from({ length: 10 }, (_value, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
const AT_ONCE = 50_000;
/** The numbers from 0 below 100,000. */
export const NUMBERS = `SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
  FROM (${DIGITS}) a, (${DIGITS}) b, (${DIGITS}) c, (${DIGITS}) e, (${DIGITS}) f`;

/** An account with one license, which is what the shipments are of. */
export interface SeededAccount {
  license: TestLicense;
  clientId: string;
  clientSecret: string;
}

/**
 * Makes accounts with `shipments` in total, each with its order, inside the server. They are a minute apart up to now,
 * and those of an account lie between those of the others; the first of several has three of four. The newest are under
 * way, most others delivered.
 */
export async function seedAccounts(
  db: Database,
  args: { shipments: number; accounts: number; appKeys: AppKeys },
): Promise<SeededAccount[]> {
  const seeded: SeededAccount[] = [];
  for (let made = 0; made < args.accounts; made++) {
    const { accountId, clientId, clientSecret } = await insertTestAccount(db, { appKeys: args.appKeys });
    seeded.push({
      license: await insertTestLicense(db, { accountId, appKeys: args.appKeys }),
      clientId,
      clientSecret,
    });
  }
  const licenseIds = seeded.map(({ license }) => license.licenseId);
  for (let from = 0; from < args.shipments; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, args.shipments - from);
    await seedPart(db, { from, count, of: args.shipments, licenseIds });
  }
  for (const licenseId of licenseIds) await repairShipmentCounts(db, licenseId);
  for (const table of ['orders', 'shipments']) await db.select(`ANALYZE TABLE ${table}`);
  return seeded;
}

async function seedPart(
  db: Database,
  part: { from: number; count: number; of: number; licenseIds: readonly number[] },
): Promise<void> {
  const { from, count, of, licenseIds } = part;
  const first = await db.run(
    `INSERT INTO orders (account_id, license_id, order_id, number, total, currency, billing, shipping)
     SELECT l.account_id, l.id, CONCAT('seed-', ? + n), CONCAT('#', ? + n), 120.50, 'ILS', '{}', '{}'
     FROM (${NUMBERS}) numbers
     JOIN (SELECT id, account_id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS place FROM licenses
           WHERE id BETWEEN ? AND ?) l ON l.place = IF((? + n) % 4 = 0, (? + n) DIV 4 % ?, 0)
     WHERE n < ? ORDER BY n`,
    [from, from, licenseIds.at(0) ?? 0, licenseIds.at(-1) ?? 0, from, from, licenseIds.length, count],
  );
  await db.run(
    `INSERT INTO shipments (uuid, account_id, license_id, carrier_id, order_id, state, workflow_id, tracking_code,
       short_tracking_code, status_code, status_description, service_type, return_type, is_active, recipient_name,
       recipient_phone, recipient_street, recipient_number, recipient_city, recipient_zip, recipient_country,
       packages, cod_amount, cod_currency, details, ready_at, collected_at, delivered_at, created_at, updated_at)
     SELECT UUID(), account_id, license_id, carrier_id, id, 'created', id, CONCAT('T', 700000000 + n),
       LPAD(id, 10, 'S'), status, status, IF(chance % 20 = 0, 2, 1), 1, status NOT IN ('cancelled', 'returned', 'lost'),
       CONCAT('Dana Levi ', n), CONCAT('05', 10000000 + n), 'Dizengoff', n % 200, CONCAT('תל אביב ', FLOOR(SQRT(n % 40000))), 6000000 + n, 'IL',
       1 + n % 3, 120.50, 'ILS', '{}', IF(chance % 5 = 0, NULL, at + INTERVAL 1 HOUR),
       IF(status IN ('created', 'cancelled'), NULL, at + INTERVAL chance MINUTE),
       IF(status = 'delivered', at + INTERVAL 5 * chance MINUTE, NULL), at, at + INTERVAL 5 * chance MINUTE
     FROM (SELECT *, CASE WHEN chance < 10 THEN 'cancelled' WHEN chance < 15 THEN 'returned' WHEN chance < 17 THEN 'lost'
             WHEN n < 0.97 * ? THEN 'delivered' ELSE ELT(1 + chance % 6, 'created', 'collected', 'in_transit',
               'at_pickup_point', 'out_for_delivery', 'delivery_failed') END AS status
           FROM (SELECT o.id, o.account_id, o.license_id, c.carrier_id, s.n, (s.n * 7919) % 1000 AS chance,
                   NOW(6) - INTERVAL (? - s.n) MINUTE AS at
                 FROM (SELECT id, account_id, license_id, CAST(SUBSTRING(order_id, 6) AS UNSIGNED) AS n
                       FROM orders WHERE id >= ? ORDER BY id LIMIT ?) s
                 JOIN orders o ON o.id = s.id
                 JOIN licenses l ON l.id = o.license_id
                 JOIN companies c ON c.id = l.company_id) dated) told
     ORDER BY id`,
    [of, of, first.insertId, count],
  );
}
