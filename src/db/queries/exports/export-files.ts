import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { exports } from '../../tables/index.js';
import type { ExportRef } from './exports.js';

/** Names the file of a running export, once. `fileUuid`: random. */
export async function nameExportFile(db: Executor, ref: ExportRef & { fileUuid: string }): Promise<void> {
  await db.run(
    `UPDATE exports SET file_uuid = ?
     WHERE id = ? AND account_id = ? AND status = 'processing' AND file_uuid IS NULL`,
    [ref.fileUuid, ref.exportId, ref.accountId],
  );
}

/** Opens the link to the file until that time (ISO 8601 UTC). */
export async function openExportLink(db: Executor, ref: ExportRef & { expiresAt: string }): Promise<void> {
  await db.run('UPDATE exports SET file_expires_at = ? WHERE id = ? AND account_id = ?', [
    isoToSql(ref.expiresAt),
    ref.exportId,
    ref.accountId,
  ]);
}

/** Records that the mail server accepted the mail. A file without a link is no longer needed. */
export async function markExportMailed(db: Executor, ref: ExportRef): Promise<void> {
  await db.run(
    `UPDATE exports SET mailed_at = NOW(6), file_expires_at = COALESCE(file_expires_at, NOW(6))
     WHERE id = ? AND account_id = ? AND mailed_at IS NULL`,
    [ref.exportId, ref.accountId],
  );
}

const e = exports.as('e');
const LINK = shape({
  licenseId: e.licenseId,
  format: e.format,
  /** Time of the request, ISO 8601 UTC. */
  createdAt: e.createdAt,
  /** Whether the link works now. */
  isOpen: expression('COALESCE(e.file_expires_at > NOW(6), FALSE)', bool),
});
const EXPIRED = shape({ exportId: e.id, fileUuid: e.fileUuid.map(String), format: e.format });

/** An export by the link to its file. */
type ExportLink = Selected<typeof LINK>;

/** The export whose file has that name, in any account: the uuid is the secret. Null when there is none. */
export async function findExportLink(db: Executor, fileUuid: string): Promise<ExportLink | null> {
  return await LINK.first(db, 'FROM exports e WHERE e.file_uuid = ?', [fileUuid]);
}

/** A file that is to be deleted. */
type ExpiredExportFile = Selected<typeof EXPIRED>;

/** Files of all accounts that are no longer needed, longest expired first, after skipping the first `skip`. */
export async function listExpiredExportFiles(
  db: Executor,
  { limit, skip }: { limit: number; skip: number },
): Promise<ExpiredExportFile[]> {
  return await EXPIRED.select(
    db,
    `FROM exports e WHERE e.file_expires_at <= NOW(6) AND e.file_uuid IS NOT NULL
     ORDER BY e.file_expires_at, e.id LIMIT ? OFFSET ?`,
    [limit, skip],
  );
}

/** Records that the file is deleted. Its name stays, so that its link is known to have expired. */
export async function markExportFileDeleted(db: Executor, exportId: number): Promise<void> {
  await db.run('UPDATE exports SET file_expires_at = NULL WHERE id = ?', [exportId]);
}
