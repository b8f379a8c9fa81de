import type { ExportFilter, ExportFormat, ExportRecord } from '../../../domain/exports.js';
import { isStatusCode } from '../../../domain/statuses.js';
import type { Executor } from '../../database.js';
import { bool, int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, exports, licenses } from '../../tables/index.js';
import { MERCHANT } from '../accounts/merchant.js';
import { allOf, type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

const e = exports.as('exports');
const EXPORT = shape({
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
  rowsWritten: e.rowsWritten,
  attempts: e.attempts,
  lastError: e.lastError,
  nextAttemptAt: e.nextAttemptAt,
  isMailed: expression(`${e.mailedAt} IS NOT NULL`, bool),
  createdAt: e.createdAt,
  updatedAt: e.updatedAt,
});
const IN_FLIGHT = `status IN ('pending', 'processing')`;

/** Names an export of one account. */
interface ExportRef {
  accountId: number;
  exportId: number;
}

/** Where one export at a time can be in flight. */
function placeOf({ accountId, licenseId }: { accountId: number; licenseId: number | null }): string {
  return licenseId === null ? `account-${accountId}` : `license-${licenseId}`;
}

function rowOf({ accountId, exportId: id }: ExportRef) {
  return { id, accountId };
}

/**
 * Inserts a pending export, which takes the only place of its license, or of its account, and returns its id. `licenseId`: null over all licenses.
 * @throws DatabaseError a duplicate while another export has the place
 */
export async function insertExport(
  db: Executor,
  args: { accountId: number; licenseId: number | null; format: ExportFormat; filter: ExportFilter },
): Promise<number> {
  return await exports.insert(db, {
    ...args,
    filter: { ...args.filter },
    inFlightPlace: placeOf(args),
  });
}

/**
 * An account's export; with `licenseId` only where it is that license's, or with null one over all. Null when there is
 * none.
 */
export async function findExport(
  db: Executor,
  args: ExportRef & { licenseId?: number | null },
): Promise<ExportRecord | null> {
  const { accountId, exportId: id, licenseId } = args;
  const where = licenseId === undefined ? { id, accountId } : { id, accountId, licenseId };
  return await exports.findOne(db, EXPORT, where);
}

/** Exports of an account or of one of its licenses, newest first: rows of a page as `selectPage` returns them. */
export async function listExports(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseId?: number },
): Promise<ExportRecord[]> {
  const query: KeysetQuery = {
    from: 'exports',
    where: [
      [`${e.accountId} = ?`, args.accountId],
      [`${e.licenseId} = ?`, args.licenseId],
    ],
    id: `${e.id}`,
  };
  return await selectPage(db, EXPORT, query, args);
}

/** The newest exports of an account or of all, 200 at most, or the one with an id. For the operator. */
export async function listLatestExports(
  db: Executor,
  filter: { accountId?: number | undefined; id?: number },
): Promise<ExportRecord[]> {
  const { sql, params } = allOf([
    ['TRUE'],
    [`${e.accountId} = ?`, filter.accountId],
    [`${e.id} = ?`, filter.id],
  ]);
  return await EXPORT.select(db, `FROM exports WHERE ${sql} ORDER BY ${e.id} DESC LIMIT 200`, params);
}

/** Columns that its run is found and started by. */
const FOR_RUN = {
  id: e.id,
  accountId: e.accountId,
  licenseId: e.licenseId,
  format: e.format,
  createdAt: e.createdAt,
};

/** The export in the place of a license or of an account; null when it is free. `ageSeconds`: since its request. */
export async function findExportInFlight(
  db: Executor,
  owner: { accountId: number; licenseId: number | null },
) {
  const ageSeconds = expression(`TIMESTAMPDIFF(SECOND, ${e.createdAt}, NOW(6))`, int);
  return await exports.findOne(db, shape({ ...FOR_RUN, ageSeconds }), {
    inFlightPlace: placeOf(owner),
    accountId: owner.accountId,
  });
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
  await exports.update(db, { ...rowOf(ref), status: 'pending' }, { status: 'processing' });
  const found = await findExport(db, ref);
  return found?.status === 'processing';
}

/** Columns of a step that has not failed. */
const NO_TROUBLE = { lastError: null, nextAttemptAt: null } as const;

/** Records that a step of a running export is tried, for the first time or again. */
export async function noteExportTry(db: Executor, ref: ExportRef & { attempts: number }): Promise<void> {
  const { attempts } = ref;
  const isFirst = attempts === 1;
  const tried = { attempts, ...(isFirst ? NO_TROUBLE : { nextAttemptAt: null }) };
  await exports.update(db, { ...rowOf(ref), status: 'processing' }, tried);
}

/** Records how many rows of the file are written. */
export async function noteExportRows(db: Executor, ref: ExportRef & { rowsWritten: number }): Promise<void> {
  const { rowsWritten } = ref;
  await exports.update(db, { ...rowOf(ref), status: 'processing' }, { rowsWritten });
}

/** Records why a try failed, and in how many milliseconds the next one follows; null for none. */
export async function noteExportTrouble(
  db: Executor,
  { accountId, exportId, reason, pauseMs }: ExportRef & { reason: string; pauseMs: number | null },
): Promise<void> {
  await db.run(
    `UPDATE exports SET last_error = ?, next_attempt_at = NOW(6) + INTERVAL ? MICROSECOND
     WHERE id = ? AND account_id = ? AND status = 'processing'`,
    [reason.slice(0, 500), pauseMs === null ? null : pauseMs * 1000, exportId, accountId],
  );
}

/** Completes an export and frees its place; does nothing to an ended one. */
export async function completeExport(
  db: Executor,
  args: ExportRef & { rowCount: number; filename: string },
): Promise<void> {
  const { rowCount, filename } = args;
  const ended = { status: 'completed', rowCount, filename, inFlightPlace: null, ...NO_TROUBLE } as const;
  await exports.update(db, { ...rowOf(args), status: 'processing' }, ended);
}

/** Fails an export and frees its place; its file is not needed. Does nothing to an ended one. */
export async function failExport(db: Executor, args: ExportRef & { error: string }): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE exports SET status = 'failed', error = ?, in_flight_place = NULL, next_attempt_at = NULL,
       file_expires_at = IF(file_uuid IS NULL, NULL, NOW(6))
     WHERE id = ? AND account_id = ? AND ${IN_FLIGHT}`,
    [args.error, args.exportId, args.accountId],
  );
  return affectedRows === 1;
}

/** Exports of all accounts, after the given one, that have been in flight for longer than that. */
export async function listStaleExports(
  db: Executor,
  args: { olderThanSeconds: number; limit: number; afterId?: number | undefined },
) {
  return await shape(FOR_RUN).select(
    db,
    `FROM exports
     WHERE ${IN_FLIGHT} AND ${e.createdAt} < NOW(6) - INTERVAL ? SECOND AND ${e.id} > ? ORDER BY ${e.id} LIMIT ?`,
    [args.olderThanSeconds, args.afterId ?? 0, args.limit],
  );
}

const a = accounts.as('a');
const ADDRESSEE = shape({
  email: a.email,
  accountName: a.name,
  locale: a.locale,
  /** Null over all licenses. */
  licenseName: licenses.as('l').name.or(null),
  merchant: MERCHANT,
});

/**
 * The account of an export, and its license by name, if it is of one.
 * @throws Error when there is no such export
 */
export async function getExportAddressee(db: Executor, ref: ExportRef) {
  const found = await ADDRESSEE.first(
    db,
    `FROM exports e JOIN accounts a ON a.id = e.account_id LEFT JOIN licenses l ON l.id = e.license_id
     WHERE e.id = ? AND e.account_id = ?`,
    [ref.exportId, ref.accountId],
  );
  if (found === null) throw new Error(`Export ${ref.exportId} does not exist.`);
  return found;
}

/** Names the file of a running export, once. `fileUuid`: random. */
export async function nameExportFile(db: Executor, ref: ExportRef & { fileUuid: string }): Promise<void> {
  const unnamed = { ...rowOf(ref), status: 'processing', fileUuid: null } as const;
  await exports.update(db, unnamed, { fileUuid: ref.fileUuid });
}

/** Opens the link to the file until that time (ISO 8601 UTC). */
export async function openExportLink(db: Executor, ref: ExportRef & { expiresAt: string }): Promise<void> {
  await exports.update(db, rowOf(ref), { fileExpiresAt: ref.expiresAt });
}

/** Records that the mail server accepted the mail. */
export async function markExportMailed(db: Executor, ref: ExportRef): Promise<void> {
  await db.run(
    `UPDATE exports SET mailed_at = NOW(6)
     WHERE id = ? AND account_id = ? AND mailed_at IS NULL`,
    [ref.exportId, ref.accountId],
  );
}

const LINK = shape({
  licenseId: e.licenseId,
  format: e.format,
  /** Time of the request, ISO 8601 UTC. */
  createdAt: e.createdAt,
  /** Whether the link works now. */
  isOpen: expression(`COALESCE(${e.fileExpiresAt} > NOW(6), FALSE)`, bool),
});

/** The export whose file has that name, in any account: the uuid is the secret. Null when there is none. */
export async function findExportLink(db: Executor, fileUuid: string) {
  return await exports.findOne(db, LINK, { fileUuid, accountId: undefined });
}

const EXPIRED = shape({ exportId: e.id, fileUuid: e.fileUuid.map(String), format: e.format });

/** Files of all accounts that are no longer needed, longest expired first, after skipping the first `skip`. */
export async function listExpiredExportFiles(
  db: Executor,
  { limit, skip }: { limit: number; skip: number },
): Promise<Selected<typeof EXPIRED>[]> {
  return await EXPIRED.select(
    db,
    `FROM exports WHERE ${e.fileExpiresAt} <= NOW(6) AND ${e.fileUuid} IS NOT NULL
     ORDER BY ${e.fileExpiresAt}, ${e.id} LIMIT ? OFFSET ?`,
    [limit, skip],
  );
}

/** Records that the file is deleted. Its name stays, so that its link is known to have expired. */
export async function markExportFileDeleted(db: Executor, id: number): Promise<void> {
  await exports.update(db, { id, accountId: undefined }, { fileExpiresAt: null });
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
