import type { ExportFormat } from '../../domain/exports.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor } from '../database.js';
import { bool, int, iso, text } from '../row.js';
import type { ExportRef } from './exports.js';

/** Gives the file of an export that is being processed its name, once. `fileUuid`: random. */
export async function nameExportFile(db: Executor, ref: ExportRef & { fileUuid: string }): Promise<void> {
  await db.run(
    `UPDATE exports SET file_uuid = ?
     WHERE id = ? AND account_id = ? AND status = 'processing' AND file_uuid IS NULL`,
    [ref.fileUuid, ref.exportId, ref.accountId],
  );
}

/** Opens the link to the file until that moment (ISO 8601 UTC). */
export async function openExportLink(db: Executor, ref: ExportRef & { expiresAt: string }): Promise<void> {
  await db.run('UPDATE exports SET file_expires_at = ? WHERE id = ? AND account_id = ?', [
    isoToSql(ref.expiresAt),
    ref.exportId,
    ref.accountId,
  ]);
}

/** Remembers that the mail server took the mail over. A file that has no link is not needed any more. */
export async function markExportMailed(db: Executor, ref: ExportRef): Promise<void> {
  await db.run(
    `UPDATE exports SET mailed_at = NOW(6), file_expires_at = COALESCE(file_expires_at, NOW(6))
     WHERE id = ? AND account_id = ? AND mailed_at IS NULL`,
    [ref.exportId, ref.accountId],
  );
}

/** An export by the link to its file. */
export interface ExportLink {
  licenseId: number;
  format: ExportFormat;
  /** When the export was asked for, ISO 8601 UTC. */
  createdAt: string;
  /** Whether the link works now. */
  isOpen: boolean;
}

/** The export whose file has that name, of any account: the uuid is the secret. Null when there is none. */
export async function findExportLink(db: Executor, fileUuid: string): Promise<ExportLink | null> {
  const [row] = await db.select(
    `SELECT license_id, format, created_at, COALESCE(file_expires_at > NOW(6), FALSE) AS is_open
     FROM exports WHERE file_uuid = ?`,
    [fileUuid],
  );
  if (row === undefined) return null;
  return {
    licenseId: int(row, 'license_id'),
    format: text(row, 'format') === 'xlsx' ? 'xlsx' : 'csv',
    createdAt: iso(row, 'created_at'),
    isOpen: bool(row, 'is_open'),
  };
}

/** A file that is to be deleted. */
export interface ExpiredExportFile {
  exportId: number;
  fileUuid: string;
  format: ExportFormat;
}

/** Files of all accounts that nobody needs any more, the longest expired first, but for the first `skip`. */
export async function listExpiredExportFiles(
  db: Executor,
  { limit, skip }: { limit: number; skip: number },
): Promise<ExpiredExportFile[]> {
  const rows = await db.select(
    `SELECT id, file_uuid, format FROM exports WHERE file_expires_at <= NOW(6) AND file_uuid IS NOT NULL
     ORDER BY file_expires_at, id LIMIT ? OFFSET ?`,
    [limit, skip],
  );
  return rows.map((row) => ({
    exportId: int(row, 'id'),
    fileUuid: text(row, 'file_uuid'),
    format: text(row, 'format') === 'xlsx' ? 'xlsx' : 'csv',
  }));
}

/** Remembers that the file is deleted. Its name stays, so that the link is known to have ended. */
export async function markExportFileDeleted(db: Executor, exportId: number): Promise<void> {
  await db.run('UPDATE exports SET file_expires_at = NULL WHERE id = ?', [exportId]);
}
