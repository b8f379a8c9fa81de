import type { Executor } from '../database.js';
import { bool, int } from '../row.js';
import { placeholders } from '../sql.js';
import type { ExportRef } from './exports.js';

/** One mail of an export, and the parts that it holds. Numbers are from 1, both ends included. */
export interface ExportMail {
  number: number;
  firstPart: number;
  lastPart: number;
}

/** An {@link ExportMail} as stored; `count`: how many mails the export has in all. */
export interface StoredExportMail extends ExportMail {
  count: number;
  isMailed: boolean;
}

/** Decides on the mails of an export; mails that were decided before stay. Gives how many there are. */
export async function insertExportMails(
  db: Executor,
  ref: ExportRef,
  mails: readonly ExportMail[],
): Promise<number> {
  const known = await listExportMails(db, ref);
  if (known.length > 0) return known.length;
  const row = `(${placeholders(4)})`;
  await db.run(
    `INSERT INTO export_mails (export_id, number, first_part, last_part)
     VALUES ${mails.map(() => row).join(', ')} ON DUPLICATE KEY UPDATE export_id = export_mails.export_id`,
    mails.flatMap((mail) => [ref.exportId, mail.number, mail.firstPart, mail.lastPart]),
  );
  return mails.length;
}

/** The mails of an export, in order. */
export async function listExportMails(db: Executor, ref: ExportRef): Promise<StoredExportMail[]> {
  const rows = await db.select(
    `SELECT m.number, m.first_part, m.last_part, m.mailed_at IS NOT NULL AS is_mailed
     FROM export_mails m JOIN exports e ON e.id = m.export_id
     WHERE e.id = ? AND e.account_id = ? ORDER BY m.number`,
    [ref.exportId, ref.accountId],
  );
  return rows.map((row) => ({
    number: int(row, 'number'),
    firstPart: int(row, 'first_part'),
    lastPart: int(row, 'last_part'),
    isMailed: bool(row, 'is_mailed'),
    count: rows.length,
  }));
}

/** Remembers that the mail server took a mail over. */
export async function markExportMailed(db: Executor, ref: ExportRef, number: number): Promise<void> {
  await db.run(
    `UPDATE export_mails m JOIN exports e ON e.id = m.export_id SET m.mailed_at = NOW(6)
     WHERE e.id = ? AND e.account_id = ? AND m.number = ?`,
    [ref.exportId, ref.accountId, number],
  );
}
