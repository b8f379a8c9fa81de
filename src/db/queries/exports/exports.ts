import type { ExportFilter, ExportFormat, ExportRecord } from '../../../domain/exports.js';
import { isStatusCode } from '../../../domain/statuses.js';
import type { Executor } from '../../database.js';
import { bool, int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, exports, licenses } from '../../tables/index.js';
import { MERCHANT } from '../accounts/merchant.js';
import { type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

const e = exports.as('e');
/** An export, from the table `exports` as `e`. */
export const EXPORT = shape({
  id: e.id,
  accountId: e.accountId,
  licenseId: e.licenseId,
  type: e.type,
  platform: e.platform,
  format: e.format,
  filter: e.filter.map(toFilter),
  status: e.status,
  rowCount: e.rowCount,
  filename: e.filename,
  error: e.error,
  fileUuid: e.fileUuid,
  isMailed: expression(`${e.mailedAt} IS NOT NULL`, bool),
  createdAt: e.createdAt,
  updatedAt: e.updatedAt,
});
const IN_FLIGHT = `status IN ('pending', 'processing')`;

/** Names an export of one account. */
export interface ExportRef {
  accountId: number;
  exportId: number;
}

/**
 * Inserts a pending export, which takes the license's only place, and returns its id.
 * @throws DatabaseError a duplicate while another export of the license is in flight
 */
export async function insertExport(
  db: Executor,
  args: { accountId: number; licenseId: number; format: ExportFormat; filter: ExportFilter },
): Promise<number> {
  return await exports.insert(db, {
    ...args,
    filter: { ...args.filter },
    inFlightLicenseId: args.licenseId,
  });
}

/** An account's export; with `licenseId` only where it is that license's. Null when there is none. */
export async function findExport(
  db: Executor,
  args: ExportRef & { licenseId?: number },
): Promise<ExportRecord | null> {
  const { accountId, exportId, licenseId } = args;
  return await EXPORT.first(
    db,
    `FROM exports e
     WHERE e.id = ? AND e.account_id = ?${licenseId === undefined ? '' : ' AND e.license_id = ?'}`,
    [exportId, accountId, ...(licenseId === undefined ? [] : [licenseId])],
  );
}

/** A license's exports newest first: rows of a page as `selectPage` returns them. */
export async function listExports(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseId: number },
): Promise<ExportRecord[]> {
  const query: KeysetQuery = {
    from: 'exports e',
    where: [
      [`${e.accountId} = ?`, args.accountId],
      [`${e.licenseId} = ?`, args.licenseId],
    ],
    id: `${e.id}`,
  };
  return await selectPage(db, EXPORT, query, args);
}

/** The export in the license's place; null when it is free. `ageSeconds`: since its request. */
export async function findExportInFlight(
  db: Executor,
  args: { accountId: number; licenseId: number },
): Promise<{ id: number; ageSeconds: number } | null> {
  const age = expression(`TIMESTAMPDIFF(SECOND, ${e.createdAt}, NOW(6))`, int);
  return await shape({ id: e.id, ageSeconds: age }).first(
    db,
    `FROM exports e WHERE ${e.inFlightLicenseId} = ? AND ${e.accountId} = ?`,
    [args.licenseId, args.accountId],
  );
}

/** Deletes an export that no run has started; false when one has. */
export async function deletePendingExport(db: Executor, ref: ExportRef): Promise<boolean> {
  const { affectedRows } = await db.run(
    `DELETE FROM exports WHERE id = ? AND account_id = ? AND status = 'pending'`,
    [ref.exportId, ref.accountId],
  );
  return affectedRows === 1;
}

/** Starts a pending export. True when it is processing now; false when it has ended or is deleted. */
export async function beginExport(db: Executor, ref: ExportRef): Promise<boolean> {
  await db.run(
    `UPDATE exports SET status = 'processing' WHERE id = ? AND account_id = ? AND status = 'pending'`,
    [ref.exportId, ref.accountId],
  );
  const found = await findExport(db, ref);
  return found?.status === 'processing';
}

/** Completes an export and frees the license's place; does nothing to an ended one. */
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

/** Fails an export and frees the license's place; its file is not needed. Does nothing to an ended one. */
export async function failExport(db: Executor, args: ExportRef & { error: string }): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE exports SET status = 'failed', error = ?, in_flight_license_id = NULL,
       file_expires_at = IF(file_uuid IS NULL, NULL, NOW(6))
     WHERE id = ? AND account_id = ? AND ${IN_FLIGHT}`,
    [args.error, args.exportId, args.accountId],
  );
  return affectedRows === 1;
}

/** Exports of all accounts that have been in flight for longer than that, for the sweep. */
export async function listStaleExports(
  db: Executor,
  args: { olderThanSeconds: number; limit: number },
): Promise<{ exportId: number; accountId: number; licenseId: number }[]> {
  return await shape({ exportId: e.id, accountId: e.accountId, licenseId: e.licenseId }).select(
    db,
    `FROM exports e
     WHERE ${IN_FLIGHT} AND ${e.createdAt} < NOW(6) - INTERVAL ? SECOND ORDER BY ${e.id} LIMIT ?`,
    [args.olderThanSeconds, args.limit],
  );
}

const a = accounts.as('a');
const ADDRESSEE = shape({
  email: a.email,
  accountName: a.name,
  locale: a.locale,
  licenseName: licenses.as('l').name,
  merchant: MERCHANT,
});

/** The addressee of an export's mail. */
type ExportAddressee = Selected<typeof ADDRESSEE>;

/**
 * The account of an export, and its license by name.
 * @throws Error when there is no such export
 */
export async function getExportAddressee(db: Executor, ref: ExportRef): Promise<ExportAddressee> {
  const found = await ADDRESSEE.first(
    db,
    `FROM exports e JOIN accounts a ON a.id = e.account_id JOIN licenses l ON l.id = e.license_id
     WHERE e.id = ? AND e.account_id = ?`,
    [ref.exportId, ref.accountId],
  );
  if (found === null) throw new Error(`Export ${ref.exportId} does not exist.`);
  return found;
}

function toFilter(stored: Record<string, unknown>): ExportFilter {
  const { active, type, status, labelGenerated, createdFrom, createdTo } = stored;
  return {
    ...(typeof active === 'boolean' ? { active } : {}),
    ...(type === 1 || type === 2 ? { type } : {}),
    ...(typeof status === 'string' && isStatusCode(status) ? { status } : {}),
    ...(typeof labelGenerated === 'boolean' ? { labelGenerated } : {}),
    ...(typeof createdFrom === 'string' ? { createdFrom } : {}),
    ...(typeof createdTo === 'string' ? { createdTo } : {}),
  };
}
