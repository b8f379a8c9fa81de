import { type ExportRecord, type ExportRow, exportColumns } from '../../../domain/exports.js';
import { trackingUrl } from '../../../domain/tracking-url.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { json, text } from '../../row.js';
import { expression, type Field, type Selected, type Selection, shape } from '../../selection.js';
import { carriers, licenses, orders, shipments } from '../../tables/index.js';
import { allOf, type Condition } from '../keyset.js';

// Larger pages survive sweeps of new objects: 1000 rows take 70 MiB more, and no less time.
const PAGE_ROWS = 500;
const WINDOW_ENTRIES = 10_000;

const s = shipments.as('s');
const o = orders.as('o');
const POSITION = shape({
  /** In MySQL's format. */
  createdAt: expression(s.createdAt.sql, text),
  shipmentId: s.id,
});

/** The shipment after which a window or page begins or ends, in export order. */
type Position = Selected<typeof POSITION>;

/** One shipment as it is read. */
type Entry = Selected<ReturnType<typeof entryOf>>;

/**
 * The rows of an export, page by page, oldest first: shipments of its license, or of all, that pass its filter and were created
 * before the request. A page may be empty. The next page is read while one is used. `baseUrl`: public address of the
 * API, without a trailing slash.
 */
export async function* readExportRows(
  db: Executor,
  record: ExportRecord,
  baseUrl: string,
): AsyncGenerator<ExportRow[]> {
  const [carrierNames, licenseNames] = await Promise.all([carrierNamesOf(db), licenseNamesOf(db, record)]);
  const pages = readPages(db, record, entryOf(record, { carrierNames, licenseNames, baseUrl }));
  for (let next = pages.next(); ; ) {
    const page = await next;
    if (page.done === true) return;
    next = pages.next();
    // It stays unawaited when the reader stops here.
    next.catch(() => undefined);
    yield page.value.map(({ row }) => row);
  }
}

/** Names by id: few, and read once instead of per row. */
type Names = ReadonlyMap<number, string>;

async function carrierNamesOf(db: Executor): Promise<Names> {
  const rows = await carriers.pick('id', 'name').select(db, 'FROM carriers');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** For an export over all licenses. */
async function licenseNamesOf(db: Executor, { accountId, licenseId }: ExportRecord): Promise<Names> {
  if (licenseId !== null) return new Map();
  const rows = await licenses.find(db, licenses.pick('id', 'name'), { accountId });
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
      isFull = entries.length === PAGE_ROWS;
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
  const { sql, params } = allOf([...scopeOf(record), behind(after), upTo(end), ...filterOf(record)]);
  return await entry.select(
    db,
    `FROM shipments s FORCE INDEX (${indexOf(record)}) STRAIGHT_JOIN orders o ON ${o.id} = ${s.orderId}
     WHERE ${sql} ORDER BY ${s.createdAt}, ${s.id} LIMIT ${PAGE_ROWS}`,
    params,
  );
}

/** Counts in the index alone, for any filter. Null for the last window. */
async function findWindowEnd(
  db: Executor,
  record: ExportRecord,
  after: Position | null,
): Promise<Position | null> {
  const { sql, params } = allOf([...scopeOf(record), behind(after)]);
  return await POSITION.first(
    db,
    `FROM shipments s FORCE INDEX (${indexOf(record)})
     WHERE ${sql} ORDER BY ${s.createdAt}, ${s.id} LIMIT 1 OFFSET ${WINDOW_ENTRIES - 1}`,
    params,
  );
}

/** The index that has an export's shipments in order. */
function indexOf({ licenseId }: ExportRecord): string {
  return licenseId === null ? 'shipments_created' : 'shipments_export';
}

/** Conditions that select the range in the index. */
function scopeOf({ accountId, licenseId, filter, createdAt }: ExportRecord): Condition[] {
  const { createdFrom, createdTo } = filter;
  return [
    licenseId === null ? [`${s.accountId} = ?`, accountId] : [`${s.licenseId} = ?`, licenseId],
    [`${s.state} = 'created'`],
    [`${s.createdAt} <= ?`, isoToSql(createdAt)],
    [`${s.createdAt} >= ?`, createdFrom && isoToSql(createdFrom)],
    [`${s.createdAt} <= ?`, createdTo && isoToSql(createdTo)],
  ];
}

/** A license's index has the filter's columns but the label's: rows that the others leave out are not looked up. */
function filterOf({ accountId, filter }: ExportRecord): Condition[] {
  return [
    [`${s.accountId} = ?`, accountId],
    [`${s.isActive} = ?`, filter.active],
    [`${s.serviceType} = ?`, filter.type],
    [`${s.statusCode} = ?`, filter.status],
    [`${s.labelGenerated} = ?`, filter.labelGenerated],
  ];
}

/** The first comparison bounds the range in the index, which the second alone would not. Null does not limit. */
function behind(place: Position | null): Condition {
  const sql = `${s.createdAt} >= ? AND (${s.createdAt} > ? OR ${s.id} > ?)`;
  return [sql, place?.createdAt, place?.createdAt, place?.shipmentId];
}

function upTo(place: Position | null): Condition {
  const sql = `${s.createdAt} <= ? AND (${s.createdAt} < ? OR ${s.id} <= ?)`;
  return [sql, place?.createdAt, place?.createdAt, place?.shipmentId];
}

/** A shipment's cells by the names of their columns, with its position. */
function entryOf(
  record: ExportRecord,
  { carrierNames, licenseNames, baseUrl }: { carrierNames: Names; licenseNames: Names; baseUrl: string },
) {
  const all = {
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
    license: s.licenseId.map((id) => licenseNames.get(id) ?? null),
  };
  // In the order of the columns, in which its values are a row.
  const cells = shape(Object.fromEntries(exportColumns(record).map(({ name }) => [name, all[name]])));
  return shape({
    row: cells.map((cell): ExportRow => Object.values(cell)),
    position: POSITION,
  });
}

/** Read as JSON: MySQL and MariaDB share no function that extracts a long text. */
const NOTE = expression(`JSON_EXTRACT(${s.details}, '$.note')`, json).map((note) =>
  typeof note === 'string' ? note : null,
);

/** A time as ISO 8601, formatted by the server, which is faster. */
function momentOf(column: Field<string | null>): Selection<string | null> {
  return expression(`DATE_FORMAT(${column}, '%Y-%m-%dT%H:%i:%s.%fZ')`, text).or(null);
}
