import { EXPORT_COLUMNS, type ExportRecord, type ExportRow } from '../../domain/exports.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { bool, bytes, int, text, textOrNull } from '../row.js';
import type { ExportRef } from './exports.js';

/** A place between two rows of an export: behind the shipment with this id, made at this time (as MySQL writes it). */
export interface ExportPosition {
  createdAt: string;
  shipmentId: number;
}

/** A part without its content. */
export interface ExportPart {
  number: number;
  rowCount: number;
  rawBytes: number;
  /** Size as stored, deflated. */
  storedBytes: number;
}

/** A part to be stored. */
export interface NewExportPart {
  number: number;
  rowCount: number;
  last: ExportPosition;
  rawBytes: number;
  /** Deflated. */
  content: Buffer;
}

/** How far the stored parts go; `last` is null before the first. */
export interface ExportTail {
  parts: number;
  rows: number;
  last: ExportPosition | null;
}

const SELECTED = `s.uuid, s.tracking_code, s.status_code AS status, s.service_type, s.is_active, o.order_id,
  o.number AS order_number, s.recipient_name, s.recipient_phone, s.recipient_company, s.recipient_street,
  s.recipient_number, s.recipient_city, s.recipient_state, s.recipient_zip, s.recipient_country, s.pickup_point_id,
  s.packages, s.cod_amount, s.cod_currency, s.external_id,
  DATE_FORMAT(s.created_at, '%Y-%m-%dT%H:%i:%s.%fZ') AS created_at,
  DATE_FORMAT(s.updated_at, '%Y-%m-%dT%H:%i:%s.%fZ') AS updated_at,
  s.id AS shipment_id, s.created_at AS position, s.carrier_id`;

/** Names of the carriers by id: few, and read once instead of with every row. */
export async function carrierNames(db: Executor): Promise<ReadonlyMap<number, string>> {
  const rows = await db.select('SELECT id, name FROM carriers');
  return new Map(rows.map((row) => [int(row, 'id'), text(row, 'name')]));
}

/** Where an export goes on reading. */
export interface ReadExportRowsArgs {
  record: ExportRecord;
  carriers: ReadonlyMap<number, string>;
  /** Null: from the beginning. */
  after: ExportPosition | null;
  limit: number;
}

/**
 * The next rows of an export: created shipments of its licence that its filter lets through and that were made before
 * it was asked for, oldest first. `last` is null when there are none.
 */
export async function readExportRows(
  db: Executor,
  args: ReadExportRowsArgs,
): Promise<{ rows: ExportRow[]; last: ExportPosition | null }> {
  const { where, params } = condition(args.record, args.after);
  // Read in the index's own order: in any other plan all that is left would be sorted for every page.
  const found = await db.select(
    `SELECT ${SELECTED} FROM shipments s FORCE INDEX (shipments_created)
     STRAIGHT_JOIN orders o ON o.id = s.order_id
     WHERE ${where} ORDER BY s.created_at, s.id LIMIT ?`,
    [...params, args.limit],
  );
  const end = found.at(-1);
  return {
    rows: found.map((row) => toExportRow(row, args.carriers)),
    last:
      end === undefined ? null : { createdAt: text(end, 'position'), shipmentId: int(end, 'shipment_id') },
  };
}

/** How far the stored parts of an export go; null when it is not being processed (any more). */
export async function findExportTail(db: Executor, ref: ExportRef): Promise<ExportTail | null> {
  const [row] = await db.select(
    `SELECT p.number, p.last_created_at, p.last_shipment_id,
       (SELECT SUM(row_count) FROM export_parts WHERE export_id = e.id) AS total
     FROM exports e LEFT JOIN export_parts p ON p.export_id = e.id
     WHERE e.id = ? AND e.account_id = ? AND e.status = 'processing' ORDER BY p.number DESC LIMIT 1`,
    [ref.exportId, ref.accountId],
  );
  if (row === undefined) return null;
  if (row.number === null) return { parts: 0, rows: 0, last: null };
  return {
    parts: int(row, 'number'),
    rows: int(row, 'total'),
    last: { createdAt: text(row, 'last_created_at'), shipmentId: int(row, 'last_shipment_id') },
  };
}

/**
 * Stores a part. False, with nothing stored, when a part of its number is there, which then is the one that counts,
 * or when the export is not being processed any more.
 */
export async function insertExportPart(db: Executor, ref: ExportRef, part: NewExportPart): Promise<boolean> {
  const { affectedRows } = await db.run(
    `INSERT INTO export_parts (export_id, number, row_count, last_created_at, last_shipment_id, raw_bytes, content)
     SELECT e.id, ?, ?, ?, ?, ?, ? FROM exports e WHERE e.id = ? AND e.account_id = ? AND e.status = 'processing'
     ON DUPLICATE KEY UPDATE export_id = export_parts.export_id`,
    [
      part.number,
      part.rowCount,
      part.last.createdAt,
      part.last.shipmentId,
      part.rawBytes,
      part.content,
      ref.exportId,
      ref.accountId,
    ],
  );
  return affectedRows === 1;
}

/** The stored parts of an export, in order. */
export async function listExportParts(db: Executor, ref: ExportRef): Promise<ExportPart[]> {
  const rows = await db.select(
    `SELECT p.number, p.row_count, p.raw_bytes, LENGTH(p.content) AS stored_bytes
     FROM export_parts p JOIN exports e ON e.id = p.export_id
     WHERE e.id = ? AND e.account_id = ? ORDER BY p.number`,
    [ref.exportId, ref.accountId],
  );
  return rows.map((row) => ({
    number: int(row, 'number'),
    rowCount: int(row, 'row_count'),
    rawBytes: int(row, 'raw_bytes'),
    storedBytes: int(row, 'stored_bytes'),
  }));
}

/**
 * A part's rows as stored, deflated.
 * @throws Error when there is no such part
 */
export async function getExportPart(db: Executor, ref: ExportRef, number: number): Promise<Buffer> {
  const [row] = await db.select(
    `SELECT p.content FROM export_parts p JOIN exports e ON e.id = p.export_id
     WHERE e.id = ? AND e.account_id = ? AND p.number = ?`,
    [ref.exportId, ref.accountId, number],
  );
  if (row === undefined) throw new Error(`Part ${number} of export ${ref.exportId} does not exist.`);
  return bytes(row, 'content');
}

/** Deletes what an export was put together from; its mails have been sent, or never will be. */
export async function deleteExportWork(db: Executor, { accountId, exportId }: ExportRef): Promise<void> {
  for (const table of ['export_mails', 'export_parts']) {
    await db.run(
      `DELETE FROM ${table} WHERE export_id = (SELECT id FROM exports WHERE id = ? AND account_id = ?)`,
      [exportId, accountId],
    );
  }
}

function condition(
  record: ExportRecord,
  after: ExportPosition | null,
): { where: string; params: SqlValue[] } {
  const { filter } = record;
  const where = ['s.account_id = ?', `s.state = 'created'`, 's.license_id = ?', 's.created_at <= ?'];
  const params: SqlValue[] = [record.accountId, record.licenseId, isoToSql(record.createdAt)];
  const add = (sql: string, ...values: SqlValue[]) => {
    where.push(sql);
    params.push(...values);
  };
  if (after !== null) {
    add('s.created_at >= ?', after.createdAt);
    add(
      '(s.created_at > ? OR (s.created_at = ? AND s.id > ?))',
      after.createdAt,
      after.createdAt,
      after.shipmentId,
    );
  }
  if (filter.createdFrom !== undefined) add('s.created_at >= ?', isoToSql(filter.createdFrom));
  if (filter.createdTo !== undefined) add('s.created_at <= ?', isoToSql(filter.createdTo));
  if (filter.active !== undefined) add('s.is_active = ?', filter.active);
  if (filter.type !== undefined) add('s.service_type = ?', filter.type);
  if (filter.status !== undefined) add('s.status_code = ?', filter.status);
  return { where: where.join(' AND '), params };
}

const READERS = {
  text: textOrNull,
  decimal: textOrNull,
  integer: int,
  boolean: bool,
  moment: textOrNull,
} as const;

function toExportRow(row: Row, carriers: ReadonlyMap<number, string>): ExportRow {
  return EXPORT_COLUMNS.map(({ name, kind }) =>
    name === 'carrier' ? (carriers.get(int(row, 'carrier_id')) ?? null) : READERS[kind](row, name),
  );
}
