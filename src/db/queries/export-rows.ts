import { EXPORT_COLUMNS, type ExportRecord, type ExportRow } from '../../domain/exports.js';
import { trackingUrl } from '../../domain/tracking-url.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { bool, int, json, text, textOrNull } from '../row.js';

/** Entries of the index that one statement looks at: it bounds its time, whatever the filter lets through. */
const WINDOW_ENTRIES = 10_000;
/**
 * Rows that one statement returns: it bounds the memory. Larger pages are still there when new objects are swept, and
 * are kept with the old ones for long: 1000 rows take 70 MiB more, and no less time.
 */
const PAGE_ROWS = 500;

/** Behind which shipment a window or page begins or ends, in the order of the export. `createdAt`: as MySQL writes it. */
interface Position {
  createdAt: string;
  shipmentId: number;
}

const SELECTED = `s.uuid, s.tracking_code, s.status_code AS status, s.service_type, s.is_active, o.order_id,
  o.number AS order_number, s.recipient_name, s.recipient_phone, s.recipient_company, s.recipient_street,
  s.recipient_number, s.recipient_city, s.recipient_state, s.recipient_zip, s.recipient_country, s.pickup_point_id,
  s.packages, s.cod_amount, s.cod_currency, s.external_id,
  ${momentOf('created_at')}, ${momentOf('updated_at')}, s.recipient_entrance, s.recipient_floor,
  s.recipient_apartment, JSON_EXTRACT(s.details, '$.note') AS note, ${momentOf('delivered_at')},
  s.short_tracking_code, s.carrier_id, s.id AS shipment_id, s.created_at AS position`;

/**
 * The rows of an export, page by page: created shipments of its license that its filter lets through and that were made
 * before it was asked for, oldest first. A page may be empty. While one is used the next one is read. `baseUrl`: public
 * address of the API, without a trailing slash.
 */
export async function* readExportRows(
  db: Executor,
  record: ExportRecord,
  baseUrl: string,
): AsyncGenerator<ExportRow[]> {
  const readers = columnReaders(await carrierNames(db), baseUrl);
  const pages = readPages(db, record);
  for (let next = pages.next(); ; ) {
    const page = await next;
    if (page.done === true) return;
    next = pages.next();
    // Nobody waits for it where the reader stops here.
    next.catch(() => undefined);
    yield page.value.map((row) => readers.map((read) => read(row)));
  }
}

/** Names of the carriers by id: few, and read once instead of with every row. */
async function carrierNames(db: Executor): Promise<ReadonlyMap<number, string>> {
  const rows = await db.select('SELECT id, name FROM carriers');
  return new Map(rows.map((row) => [int(row, 'id'), text(row, 'name')]));
}

async function* readPages(db: Executor, record: ExportRecord): AsyncGenerator<Row[]> {
  let position: Position | null = null;
  do {
    const end: Position | null = await findWindowEnd(db, record, position);
    for (let isFull = true; isFull; ) {
      const rows: Row[] = await readPage(db, record, { after: position, end });
      yield rows;
      const last = rows.at(-1);
      isFull = last !== undefined && rows.length === PAGE_ROWS;
      if (last !== undefined)
        position = { createdAt: text(last, 'position'), shipmentId: int(last, 'shipment_id') };
    }
    position = end;
  } while (position !== null);
}

async function readPage(
  db: Executor,
  record: ExportRecord,
  { after, end }: { after: Position | null; end: Position | null },
): Promise<Row[]> {
  const conditions = [
    ...scopeOf(record),
    ...(after === null ? [] : [behind(after)]),
    ...(end === null ? [] : [upTo(end)]),
    ...filterOf(record),
  ];
  return await db.select(
    `SELECT ${SELECTED} FROM shipments s FORCE INDEX (shipments_export)
     STRAIGHT_JOIN orders o ON o.id = s.order_id
     WHERE ${textOf(conditions)} ORDER BY s.created_at, s.id LIMIT ${PAGE_ROWS}`,
    valuesOf(conditions),
  );
}

/** Counts in the index alone, whatever the filter is. Null where what is left is the last window. */
async function findWindowEnd(
  db: Executor,
  record: ExportRecord,
  after: Position | null,
): Promise<Position | null> {
  const conditions = [...scopeOf(record), ...(after === null ? [] : [behind(after)])];
  const [row] = await db.select(
    `SELECT s.created_at, s.id FROM shipments s FORCE INDEX (shipments_export)
     WHERE ${textOf(conditions)} ORDER BY s.created_at, s.id LIMIT 1 OFFSET ${WINDOW_ENTRIES - 1}`,
    valuesOf(conditions),
  );
  return row === undefined ? null : { createdAt: text(row, 'created_at'), shipmentId: int(row, 'id') };
}

type Condition = readonly [sql: string, ...values: SqlValue[]];

/** What the index is read by. */
function scopeOf({ licenseId, filter, createdAt }: ExportRecord): Condition[] {
  const conditions: Condition[] = [
    ['s.license_id = ?', licenseId],
    [`s.state = 'created'`],
    ['s.created_at <= ?', isoToSql(createdAt)],
  ];
  const { createdFrom, createdTo } = filter;
  if (createdFrom !== undefined) conditions.push(['s.created_at >= ?', isoToSql(createdFrom)]);
  if (createdTo !== undefined) conditions.push(['s.created_at <= ?', isoToSql(createdTo)]);
  return conditions;
}

/** The index has the filter's columns, so that rows it keeps out are not looked up. */
function filterOf({ accountId, filter }: ExportRecord): Condition[] {
  const { active, type, status } = filter;
  const conditions: Condition[] = [['s.account_id = ?', accountId]];
  if (active !== undefined) conditions.push(['s.is_active = ?', active]);
  if (type !== undefined) conditions.push(['s.service_type = ?', type]);
  if (status !== undefined) conditions.push(['s.status_code = ?', status]);
  return conditions;
}

/** The first comparison bounds the range in the index, which the second alone would not. */
function behind({ createdAt, shipmentId }: Position): Condition {
  const sql = 's.created_at >= ? AND (s.created_at > ? OR s.id > ?)';
  return [sql, createdAt, createdAt, shipmentId];
}

function upTo({ createdAt, shipmentId }: Position): Condition {
  const sql = 's.created_at <= ? AND (s.created_at < ? OR s.id <= ?)';
  return [sql, createdAt, createdAt, shipmentId];
}

function textOf(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => sql).join(' AND ');
}

function valuesOf(conditions: readonly Condition[]): SqlValue[] {
  return conditions.flatMap(([, ...values]) => values);
}

const READERS = {
  text: textOrNull,
  link: textOrNull,
  decimal: textOrNull,
  integer: int,
  boolean: bool,
  moment: textOrNull,
} as const;

type ColumnReader = (row: Row) => ExportRow[number];

/** How a row's cells are read, column by column. */
function columnReaders(carriers: ReadonlyMap<number, string>, baseUrl: string): readonly ColumnReader[] {
  return EXPORT_COLUMNS.map(({ name, kind }): ColumnReader => {
    switch (name) {
      case 'carrier':
        return (row) => carriers.get(int(row, 'carrier_id')) ?? null;
      case 'note':
        return noteOf;
      case 'tracking_url':
        return (row) => trackingUrl(baseUrl, text(row, 'short_tracking_code'));
      default: {
        const read = READERS[kind];
        return (row) => read(row, name);
      }
    }
  });
}

/** Read as JSON: MySQL and MariaDB have no function in common that takes a long text out of it. */
function noteOf(row: Row): string | null {
  const note = json(row, 'note');
  return typeof note === 'string' ? note : null;
}

/** A moment as ISO 8601, made by the server: it takes less time there. */
function momentOf(column: 'created_at' | 'updated_at' | 'delivered_at'): string {
  return `DATE_FORMAT(s.${column}, '%Y-%m-%dT%H:%i:%s.%fZ') AS ${column}`;
}
