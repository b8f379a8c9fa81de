import { EXPORT_COLUMNS, type ExportRecord, type ExportRow } from '../../../domain/exports.js';
import { trackingUrl } from '../../../domain/tracking-url.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { json, text } from '../../row.js';
import { expression, type Field, type Selected, type Selection, shape } from '../../selection.js';
import { carriers } from '../../tables/carriers.js';
import { orders } from '../../tables/orders.js';
import { shipments } from '../../tables/shipments.js';
import { allOf, type Condition } from '../keyset.js';

const s = shipments.as('s');
const o = orders.as('o');
const POSITION = shape({
  /** As MySQL writes it. */
  createdAt: expression(s.createdAt.sql, text),
  shipmentId: s.id,
});

/** Behind which shipment a window or page begins or ends, in the order of the export. */
type Position = Selected<typeof POSITION>;

/** What is read of one shipment. */
interface Entry {
  row: ExportRow;
  position: Position;
}

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
  const pages = readPages(db, record, entryOf(await carrierNames(db), baseUrl));
  for (let next = pages.next(); ; ) {
    const page = await next;
    if (page.done === true) return;
    next = pages.next();
    // Nobody waits for it where the reader stops here.
    next.catch(() => undefined);
    yield page.value.map(({ row }) => row);
  }
}

/** Names of the carriers by id: few, and read once instead of with every row. */
async function carrierNames(db: Executor): Promise<ReadonlyMap<number, string>> {
  const rows = await carriers.pick('id', 'name').select(db, 'FROM carriers');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function* readPages(
  db: Executor,
  record: ExportRecord,
  entry: Selection<Entry>,
): AsyncGenerator<Entry[]> {
  let position: Position | null = null;
  do {
    const end: Position | null = await findWindowEnd(db, record, position);
    for (let isFull = true; isFull; ) {
      const entries: Entry[] = await readPage(db, record, { entry, after: position, end });
      yield entries;
      isFull = entries.length === LIMITS.exports.pageRows;
      position = entries.at(-1)?.position ?? position;
    }
    position = end;
  } while (position !== null);
}

async function readPage(
  db: Executor,
  record: ExportRecord,
  { entry, after, end }: { entry: Selection<Entry>; after: Position | null; end: Position | null },
): Promise<Entry[]> {
  const { sql, params } = allOf([
    ...scopeOf(record),
    ...(after === null ? [] : [behind(after)]),
    ...(end === null ? [] : [upTo(end)]),
    ...filterOf(record),
  ]);
  return await entry.select(
    db,
    `FROM shipments s FORCE INDEX (shipments_export) STRAIGHT_JOIN orders o ON ${o.id} = ${s.orderId}
     WHERE ${sql} ORDER BY ${s.createdAt}, ${s.id} LIMIT ${LIMITS.exports.pageRows}`,
    params,
  );
}

/** Counts in the index alone, whatever the filter is. Null where what is left is the last window. */
async function findWindowEnd(
  db: Executor,
  record: ExportRecord,
  after: Position | null,
): Promise<Position | null> {
  const { sql, params } = allOf([...scopeOf(record), ...(after === null ? [] : [behind(after)])]);
  return await POSITION.first(
    db,
    `FROM shipments s FORCE INDEX (shipments_export)
     WHERE ${sql} ORDER BY ${s.createdAt}, ${s.id} LIMIT 1 OFFSET ${LIMITS.exports.windowEntries - 1}`,
    params,
  );
}

/** What the index is read by. */
function scopeOf({ licenseId, filter, createdAt }: ExportRecord): Condition[] {
  const { createdFrom, createdTo } = filter;
  return [
    [`${s.licenseId} = ?`, licenseId],
    [`${s.state} = 'created'`],
    [`${s.createdAt} <= ?`, isoToSql(createdAt)],
    [`${s.createdAt} >= ?`, createdFrom && isoToSql(createdFrom)],
    [`${s.createdAt} <= ?`, createdTo && isoToSql(createdTo)],
  ];
}

/** The index has the filter's columns, so that rows it keeps out are not looked up. */
function filterOf({ accountId, filter }: ExportRecord): Condition[] {
  return [
    [`${s.accountId} = ?`, accountId],
    [`${s.isActive} = ?`, filter.active],
    [`${s.serviceType} = ?`, filter.type],
    [`${s.statusCode} = ?`, filter.status],
  ];
}

/** The first comparison bounds the range in the index, which the second alone would not. */
function behind({ createdAt, shipmentId }: Position): Condition {
  const sql = `${s.createdAt} >= ? AND (${s.createdAt} > ? OR ${s.id} > ?)`;
  return [sql, createdAt, createdAt, shipmentId];
}

function upTo({ createdAt, shipmentId }: Position): Condition {
  const sql = `${s.createdAt} <= ? AND (${s.createdAt} < ? OR ${s.id} <= ?)`;
  return [sql, createdAt, createdAt, shipmentId];
}

/** A shipment's cells by the names of their columns, with its position. */
function entryOf(carrierNames: ReadonlyMap<number, string>, baseUrl: string): Selection<Entry> {
  const cells = shape({
    uuid: s.uuid,
    tracking_code: s.trackingCode,
    carrier: s.carrierId.map((id) => carrierNames.get(id) ?? null),
    status: s.statusCode,
    service_type: s.serviceType,
    is_active: s.isActive,
    order_id: o.orderId,
    order_number: o.number,
    recipient_name: s.recipientName,
    recipient_phone: s.recipientPhone,
    recipient_company: s.recipientCompany,
    recipient_street: s.recipientStreet,
    recipient_number: s.recipientNumber,
    recipient_city: s.recipientCity,
    recipient_state: s.recipientState,
    recipient_zip: s.recipientZip,
    recipient_country: s.recipientCountry,
    pickup_point_id: s.pickupPointId,
    packages: s.packages,
    cod_amount: s.codAmount,
    cod_currency: s.codCurrency,
    external_id: s.externalId,
    created_at: momentOf(s.createdAt),
    updated_at: momentOf(s.updatedAt),
    recipient_entrance: s.recipientEntrance,
    recipient_floor: s.recipientFloor,
    recipient_apartment: s.recipientApartment,
    note: NOTE,
    delivered_at: momentOf(s.deliveredAt),
    tracking_url: s.shortTrackingCode.map((code) => trackingUrl(baseUrl, code)),
  });
  return shape({
    row: cells.map((cell): ExportRow => EXPORT_COLUMNS.map(({ name }) => cell[name])),
    position: POSITION,
  });
}

/** Read as JSON: MySQL and MariaDB have no function in common that takes a long text out of it. */
const NOTE = expression(`JSON_EXTRACT(${s.details}, '$.note')`, json).map((note) =>
  typeof note === 'string' ? note : null,
);

/** A moment as ISO 8601, made by the server: it takes less time there. */
function momentOf(column: Field<string | null>): Selection<string | null> {
  return expression(`DATE_FORMAT(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`, text).or(null);
}
