import { randomInt } from 'node:crypto';
import type { ServiceType } from '../../../domain/shipment.js';
import type { StatusCode } from '../../../domain/statuses.js';
import { isoToSql } from '../../../lib/time.js';
import type { Database, Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { licenses, shipmentCounts } from '../../tables/index.js';

/** Rows that hold one count together, so that transactions at the same time seldom wait for the same row. */
const SLOTS = 16;

/** Columns by which created shipments are counted. */
interface ShipmentKind {
  accountId: number;
  licenseId: number;
  status: StatusCode;
  serviceType: ServiceType;
}

const c = shipmentCounts.as('s');
/** Of the rows `s`, of shipments or of counts. */
const KIND = { licenseId: c.licenseId, status: c.statusCode, serviceType: c.serviceType };
const SUMMED = shape({ ...KIND, total: expression('CAST(SUM(s.total) AS SIGNED)', int) });
const COUNTED = shape({ ...KIND, total: expression('COUNT(*)', int) });

/** How many created shipments of one kind an account has. */
export type ShipmentCount = Selected<typeof SUMMED>;

/** One of the rows of a count. */
export function anySlot(): number {
  return randomInt(SLOTS);
}

/**
 * Adds `by` (below 0: subtracts) to the count of each kind. Call it once in the transaction that changes the
 * shipments, after their rows are locked, so that all transactions lock in the same order.
 */
export async function countShipments(
  tx: Executor,
  changes: readonly (ShipmentKind & { by: number })[],
): Promise<void> {
  const slot = anySlot();
  const rows = changes
    .map(({ accountId, licenseId, status, serviceType, by }) => ({
      key: [accountId, licenseId, status, serviceType].join(' '),
      row: { accountId, licenseId, statusCode: status, serviceType, slot, total: by },
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ row }) => row);
  await shipmentCounts.insertText(tx, rows, 'ON DUPLICATE KEY UPDATE total = total + VALUES(total)');
}

/**
 * Counts that a shipment takes on another status. `before`: its row as it was locked. What is not created is not
 * counted.
 */
export async function countStatusChange(
  tx: Executor,
  before: ShipmentKind & { state: string },
  status: StatusCode,
): Promise<void> {
  const { accountId, licenseId, serviceType } = before;
  if (before.state !== 'created' || before.status === status) return;
  const kind = { accountId, licenseId, serviceType };
  await countShipments(tx, [
    { ...kind, status: before.status, by: -1 },
    { ...kind, status, by: 1 },
  ]);
}

/** The counts of an account, one for each kind of which it has had shipments. */
export async function listShipmentCounts(db: Executor, accountId: number): Promise<ShipmentCount[]> {
  return await SUMMED.select(
    db,
    `FROM shipment_counts s WHERE s.account_id = ?
     GROUP BY s.license_id, s.status_code, s.service_type`,
    [accountId],
  );
}

/** The open reservations of these licenses in one status, counted as {@link listShipmentCounts} tells created ones. */
export async function countReservations(
  db: Executor,
  { licenseIds, status }: { licenseIds: readonly number[]; status: string },
): Promise<ShipmentCount[]> {
  return await COUNTED.select(
    db,
    `FROM shipments s FORCE INDEX (shipments_kind_created)
     WHERE s.license_id IN (${placeholders(licenseIds.length)}) AND s.state = 'reserved' AND s.status_code = ?
     GROUP BY s.license_id, s.status_code, s.service_type`,
    [...licenseIds, status],
  );
}

/** How many shipments they are together. */
export function sumOf(counts: readonly ShipmentCount[]): number {
  return counts.reduce((sum, { total }) => sum + total, 0);
}

/**
 * Makes the counts of a license what its rows say, and tells how many were wrong; changes nothing where another process
 * has done so meanwhile. Needed only where a release that did not count ran beside one that does.
 */
export async function repairShipmentCounts(db: Database, licenseId: number): Promise<number> {
  const license = { id: licenseId, accountId: undefined };
  const seen = await licenses.findOne(db, licenses.pick('turn'), license);
  const wrong = await findWrong(db, licenseId);
  if (seen === null || wrong.length === 0) return 0;
  return await db.transaction(async (tx) => {
    if ((await licenses.takeTurn(tx, { ...license, turn: seen.turn })) === 0) return 0;
    await countShipments(tx, wrong);
    return wrong.length;
  });
}

/**
 * Rows and counts are read together, which shows each transaction as a whole, and the difference is added: what others
 * count meanwhile stays counted.
 */
async function findWrong(db: Executor, licenseId: number): Promise<(ShipmentKind & { by: number })[]> {
  return await shape({
    ...KIND,
    accountId: c.accountId,
    by: expression('CAST(SUM(n) AS SIGNED)', int),
  }).select(
    db,
    `FROM (
       SELECT l.account_id, s.license_id, s.status_code, s.service_type, COUNT(*) AS n
       FROM licenses l JOIN shipments s FORCE INDEX (shipments_kind_created) ON s.license_id = l.id
       WHERE l.id = ? AND s.state = 'created'
       GROUP BY l.account_id, s.license_id, s.status_code, s.service_type
       UNION ALL
       SELECT c.account_id, c.license_id, c.status_code, c.service_type, -c.total
       FROM licenses l JOIN shipment_counts c ON c.account_id = l.account_id AND c.license_id = l.id
       WHERE l.id = ?
     ) s
     GROUP BY s.account_id, s.license_id, s.status_code, s.service_type HAVING \`by\` <> 0`,
    [licenseId, licenseId],
  );
}

/** Ids of the licenses of one of `slices` equal parts, which are numbered from 0. */
export async function listLicenseSlice(db: Executor, slice: number, slices: number): Promise<number[]> {
  const { id } = licenses.as('l');
  return await id.select(db, `FROM licenses l WHERE ${id} % ? = ? ORDER BY ${id}`, [slices, slice]);
}

/** Shipments that carriers have accepted since a moment (ISO 8601 UTC), of all accounts. */
export async function countCreatedSince(db: Executor, since: string): Promise<number> {
  const tail = `FROM shipments FORCE INDEX (shipments_reserved) WHERE state = 'created' AND created_at >= ?`;
  return (await expression('COUNT(*)', int).first(db, tail, [isoToSql(since)])) ?? 0;
}
