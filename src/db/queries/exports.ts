import type { ExportFilter, ExportFormat, ExportRecord, ExportStatus } from '../../domain/exports.js';
import type { MailFacts } from '../../domain/notifications.js';
import { isStatusCode } from '../../domain/statuses.js';
import type { Executor, Row } from '../database.js';
import { bool, int, intOrNull, iso, jsonObject, text, textOrNull } from '../row.js';
import { insertRow } from '../sql.js';
import { type KeysetPage, type KeysetQuery, selectPage } from './keyset.js';
import { MERCHANT_COLUMNS, toMerchant } from './merchant.js';

const COLUMNS = `id, account_id, license_id, type, platform, format, filter, status, row_count, filename, file_uuid,
  mailed_at IS NOT NULL AS is_mailed, error, created_at, updated_at`;
const IN_FLIGHT = `status IN ('pending', 'processing')`;

/** Names an export of one account. */
export interface ExportRef {
  accountId: number;
  exportId: number;
}

/**
 * Inserts a pending export, which takes the license's one place, and gives its id.
 * @throws DatabaseError a duplicate while another export of the license is in flight
 */
export async function insertExport(
  db: Executor,
  args: { accountId: number; licenseId: number; format: ExportFormat; filter: ExportFilter },
): Promise<number> {
  return insertRow(db, 'exports', {
    account_id: args.accountId,
    license_id: args.licenseId,
    in_flight_license_id: args.licenseId,
    format: args.format,
    filter: JSON.stringify(args.filter),
  });
}

/** An account's export; with `licenseId` only where it is that license's. Null when there is none. */
export async function findExport(
  db: Executor,
  args: ExportRef & { licenseId?: number },
): Promise<ExportRecord | null> {
  const { accountId, exportId, licenseId } = args;
  const [row] = await db.select(
    `SELECT ${COLUMNS} FROM exports WHERE id = ? AND account_id = ?${licenseId === undefined ? '' : ' AND license_id = ?'}`,
    [exportId, accountId, ...(licenseId === undefined ? [] : [licenseId])],
  );
  return row === undefined ? null : toExport(row);
}

/** A license's exports newest first: rows of a page as `selectPage` gives them. */
export async function listExports(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseId: number },
): Promise<ExportRecord[]> {
  const query = {
    select: `SELECT ${COLUMNS} FROM exports`,
    where: [
      ['account_id = ?', args.accountId],
      ['license_id = ?', args.licenseId],
    ],
    id: 'id',
  } satisfies KeysetQuery;
  const rows = await selectPage(db, query, args);
  return rows.map(toExport);
}

/** The export that holds the license's place; null when it is free. `ageSeconds`: since it was asked for. */
export async function findExportInFlight(
  db: Executor,
  args: { accountId: number; licenseId: number },
): Promise<{ id: number; ageSeconds: number } | null> {
  const [row] = await db.select(
    `SELECT id, TIMESTAMPDIFF(SECOND, created_at, NOW(6)) AS age FROM exports
     WHERE in_flight_license_id = ? AND account_id = ?`,
    [args.licenseId, args.accountId],
  );
  return row === undefined ? null : { id: int(row, 'id'), ageSeconds: int(row, 'age') };
}

/** Deletes an export that no run has begun; false when one has. */
export async function deletePendingExport(db: Executor, ref: ExportRef): Promise<boolean> {
  const { affectedRows } = await db.run(
    `DELETE FROM exports WHERE id = ? AND account_id = ? AND status = 'pending'`,
    [ref.exportId, ref.accountId],
  );
  return affectedRows === 1;
}

/** Takes a pending export up. False when it is in no state to be worked on: ended, or gone. */
export async function beginExport(db: Executor, ref: ExportRef): Promise<boolean> {
  await db.run(
    `UPDATE exports SET status = 'processing' WHERE id = ? AND account_id = ? AND status = 'pending'`,
    [ref.exportId, ref.accountId],
  );
  const found = await findExport(db, ref);
  return found?.status === 'processing';
}

/** Ends an export well and frees the license's place; does nothing to one that has ended. */
export async function completeExport(
  db: Executor,
  args: ExportRef & { rowCount: number; filename: string },
): Promise<void> {
  await db.run(
    `UPDATE exports SET status = 'completed', row_count = ?, filename = ?, in_flight_license_id = NULL
     WHERE id = ? AND account_id = ? AND status = 'processing'`,
    [args.rowCount, args.filename, args.exportId, args.accountId],
  );
}

/** Ends an export badly and frees the license's place; its file is not needed. Does nothing to one that has ended. */
export async function failExport(db: Executor, args: ExportRef & { error: string }): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE exports SET status = 'failed', error = ?, in_flight_license_id = NULL,
       file_expires_at = IF(file_uuid IS NULL, NULL, NOW(6))
     WHERE id = ? AND account_id = ? AND ${IN_FLIGHT}`,
    [args.error, args.exportId, args.accountId],
  );
  return affectedRows === 1;
}

/** Exports in flight that were asked for longer ago than that, of all accounts: for the sweep. */
export async function listStaleExports(
  db: Executor,
  args: { olderThanSeconds: number; limit: number },
): Promise<{ exportId: number; accountId: number; licenseId: number }[]> {
  const rows = await db.select(
    `SELECT id, account_id, license_id FROM exports
     WHERE ${IN_FLIGHT} AND created_at < NOW(6) - INTERVAL ? SECOND ORDER BY id LIMIT ?`,
    [args.olderThanSeconds, args.limit],
  );
  return rows.map((row) => ({
    exportId: int(row, 'id'),
    accountId: int(row, 'account_id'),
    licenseId: int(row, 'license_id'),
  }));
}

/** Who an export is mailed to. */
export interface ExportAddressee {
  email: string;
  accountName: string;
  locale: string;
  licenseName: string;
  merchant: MailFacts['merchant'];
}

/**
 * The account of an export, and its license by name.
 * @throws Error when there is no such export
 */
export async function getExportAddressee(db: Executor, ref: ExportRef): Promise<ExportAddressee> {
  const [row] = await db.select(
    `SELECT a.email, a.locale, ${MERCHANT_COLUMNS}, l.name AS license_name
     FROM exports e JOIN accounts a ON a.id = e.account_id JOIN licenses l ON l.id = e.license_id
     WHERE e.id = ? AND e.account_id = ?`,
    [ref.exportId, ref.accountId],
  );
  if (row === undefined) throw new Error(`Export ${ref.exportId} does not exist.`);
  return {
    email: text(row, 'email'),
    accountName: text(row, 'account_name'),
    locale: text(row, 'locale'),
    merchant: toMerchant(row),
    licenseName: text(row, 'license_name'),
  };
}

function toExport(row: Row): ExportRecord {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    licenseId: int(row, 'license_id'),
    type: text(row, 'type'),
    platform: text(row, 'platform'),
    format: text(row, 'format') === 'xlsx' ? 'xlsx' : 'csv',
    filter: toFilter(jsonObject(row, 'filter')),
    status: toStatus(text(row, 'status')),
    rowCount: intOrNull(row, 'row_count'),
    filename: textOrNull(row, 'filename'),
    error: textOrNull(row, 'error'),
    fileUuid: textOrNull(row, 'file_uuid'),
    isMailed: bool(row, 'is_mailed'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}

function toFilter(stored: Record<string, unknown>): ExportFilter {
  const { active, type, status, createdFrom, createdTo } = stored;
  return {
    ...(typeof active === 'boolean' ? { active } : {}),
    ...(type === 1 || type === 2 ? { type } : {}),
    ...(typeof status === 'string' && isStatusCode(status) ? { status } : {}),
    ...(typeof createdFrom === 'string' ? { createdFrom } : {}),
    ...(typeof createdTo === 'string' ? { createdTo } : {}),
  };
}

function toStatus(value: string): ExportStatus {
  if (value === 'pending' || value === 'processing' || value === 'completed' || value === 'failed')
    return value;
  throw new TypeError('Column status holds an unknown status.');
}
