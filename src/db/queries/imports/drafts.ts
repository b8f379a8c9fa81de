import { columnsOf, type ImportColumns } from '../../../domain/imports/fields.js';
import { type PresetValues, presetValuesOf } from '../../../domain/imports/preset.js';
import type { Database, Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { importDrafts, importMappings } from '../../tables/index.js';

const d = importDrafts.as('import_drafts');
const listOf = (value: unknown) => columnsOf(Array.isArray(value) ? value : []);
const HEAD = {
  id: d.id,
  uuid: d.uuid,
  accountId: d.accountId,
  licenseId: d.licenseId,
  fileName: d.fileName,
  source: d.source,
  corrects: d.corrects,
  preset: d.preset.map(presetValuesOf),
  columns: d.columns.map(listOf),
  round: d.round,
  createdAt: d.createdAt,
};
const DRAFT = shape(HEAD);
/** Has orders that are not booked. */
const IS_OPEN = `EXISTS (
  SELECT 1 FROM import_rows r WHERE r.draft_id = ${d.id} AND r.state IN ('ready', 'faulty'))`;
const WITH_TABLE = shape({ ...HEAD, packedTable: d.packedTable });

/**
 * Orders of a file, before they are booked. `source`: whose export it is, or empty; `corrects`: the batch whose failed
 * items they are instead; `preset`: values for what the file does not say; `columns`: none yet where a person has
 * to choose them; `round`: how often orders of it were booked.
 */
export type ImportDraft = Selected<typeof DRAFT>;
type DraftWithTable = Selected<typeof WITH_TABLE>;

interface NewDraft extends Pick<ImportDraft, 'uuid' | 'accountId' | 'licenseId' | 'fileName' | 'source'> {
  packedTable: Buffer | null;
  columns: ImportColumns;
  corrects?: string;
  preset?: PresetValues | null;
}

/** Stores a draft. Returns its id. */
export async function insertDraft(db: Executor, draft: NewDraft): Promise<number> {
  const { preset = null, ...row } = draft;
  return await importDrafts.insert(db, { ...row, preset: preset && { ...preset } });
}

/** The newest draft that corrects a batch and has orders that are not booked; null when there is none. */
export async function findCorrection(
  db: Executor,
  { accountId, batchUuid }: { accountId: number; batchUuid: string },
): Promise<ImportDraft | null> {
  return await DRAFT.first(
    db,
    `FROM import_drafts WHERE ${d.accountId} = ? AND ${d.corrects} = ? AND ${IS_OPEN}
     ORDER BY ${d.id} DESC LIMIT 1`,
    [accountId, batchUuid],
  );
}

/** A draft of the account; null when there is none. */
export async function findDraft(
  db: Executor,
  { accountId, uuid }: Pick<ImportDraft, 'accountId' | 'uuid'>,
): Promise<ImportDraft | null> {
  return await importDrafts.findOne(db, DRAFT, { accountId, uuid });
}

/** {@link findDraft} with the file's table, which is null once data of it were erased. */
export async function findDraftTable(
  db: Executor,
  { accountId, uuid }: Pick<ImportDraft, 'accountId' | 'uuid'>,
): Promise<DraftWithTable | null> {
  return await importDrafts.findOne(db, WITH_TABLE, { accountId, uuid });
}

/** Locks a draft, within a transaction: what changes its rows takes turns. Null when it is gone. */
export async function lockDraft(tx: Executor, { accountId, id }: Pick<ImportDraft, 'accountId' | 'id'>) {
  await importDrafts.takeTurn(tx, { accountId, id });
  return await importDrafts.findOne(tx, DRAFT, { accountId, id }, { lock: true });
}

export async function setDraft(
  tx: Executor,
  { accountId, id }: Pick<ImportDraft, 'accountId' | 'id'>,
  changes: { columns?: ImportColumns; round?: number },
): Promise<void> {
  await importDrafts.update(tx, { accountId, id }, changes);
}

/** The newest drafts of an account with orders that are not booked. */
export async function listOpenDrafts(
  db: Executor,
  { accountId, limit }: { accountId: number; limit: number },
): Promise<ImportDraft[]> {
  return await DRAFT.select(
    db,
    `FROM import_drafts WHERE ${d.accountId} = ? AND ${IS_OPEN}
     ORDER BY ${d.id} DESC LIMIT ?`,
    [accountId, limit],
  );
}

/** The columns that an account has chosen for files with this header; null when it has not. */
export async function findMapping(
  db: Executor,
  { accountId, headerHash }: { accountId: number; headerHash: Buffer },
): Promise<ImportColumns | null> {
  const found = await importMappings.findOne(db, importMappings.pick('columns'), { accountId, headerHash });
  return found === null ? null : listOf(found.columns);
}

/** Remembers the columns for the next file with this header; an account keeps the newest `most`. */
export async function keepMapping(
  db: Database,
  mapping: { accountId: number; headerHash: Buffer; columns: ImportColumns; most: number },
): Promise<void> {
  const { most, ...row } = mapping;
  await importMappings.insertText(
    db,
    [row],
    'ON DUPLICATE KEY UPDATE columns = VALUES(columns), updated_at = NOW(6)',
  );
  await db.run(
    `DELETE FROM import_mappings WHERE account_id = ? AND header_hash NOT IN (
       SELECT header_hash FROM (SELECT header_hash FROM import_mappings WHERE account_id = ?
         ORDER BY updated_at DESC, header_hash LIMIT ?) newest)`,
    [row.accountId, row.accountId, most],
  );
}
