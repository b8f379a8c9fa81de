import { phoneKey } from '../../../domain/phone.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { placeholders, type Sql } from '../../sql.js';
import { shipments } from '../../tables/index.js';
import { allOf, beginningOf, contains, isOneOf, patternOf } from '../keyset.js';
import { type ListShipmentsArgs, newestOf, type ShipmentPage, stateOf } from './shipment-lists.js';
import { SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

/** The ids of the shipments with one name, each a statement; a WHERE may limit the last three to licenses `l`. */
export const IDS_BY = {
  uuid: 'SELECT id FROM shipments WHERE uuid = ?',
  shortCode: 'SELECT id FROM shipments WHERE short_tracking_code = ?',
  trackingCode: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_license_code) ON t.license_id = l.id AND t.tracking_code = ?`,
  orderId: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN orders n FORCE INDEX (orders_store_id) ON n.license_id = l.id AND n.order_id = ?
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id`,
  orderNumber: `SELECT t.id FROM licenses l
    STRAIGHT_JOIN orders n FORCE INDEX (orders_number) ON n.license_id = l.id AND n.number = ?
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id`,
};

/** The name for a comparison with an ASCII column, which MySQL refuses with other letters; empty where it has some. */
export function asciiOf(name: string): string {
  return /^[ -~]*$/.test(name) ? name : '';
}

const s = shipments.as('s');
const FOUND = shape({ id: s.id, via: expression('via', text) });

/** The search in a list of an account's shipments. */
export interface ShipmentSearch
  extends Pick<ListShipmentsArgs, 'accountId' | 'licenseIds' | 'filter' | 'page' | 'perPage'> {
  text: string;
  /** How many are looked at for each of: a name, which no key holds; the beginning of a code or an order; a phone. */
  looked: number;
}

/**
 * A page of the shipments in the list, also those that wait, whose uuid, tracking code, order or phone is the text,
 * whose code or order begins with it, or whose recipient's name has it, newest first. `hasMore`: others were not looked
 * at. Four statements, five where the list is limited by more than its kinds.
 */
export async function searchShipments(db: Executor, search: ShipmentSearch): Promise<ShipmentPage> {
  const { looked, page, perPage } = search;
  if (search.licenseIds.length === 0) return { rows: [], total: 0, hasMore: false };
  const named = await newestOf(db, search, looked);
  const parts = partsOf(search, named?.ids ?? null);
  const found = await FOUND.select(
    db,
    `FROM (${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) s`,
    parts.flatMap(({ params }) => params),
  );
  const ids = await fittingIds(db, search, [...new Set(found.map(({ id }) => id))]);
  const isCut = BOUNDED.some((part) => found.filter(({ via }) => via === part).length > looked);
  const shown = ids.slice((page - 1) * perPage, page * perPage);
  const rows =
    shown.length === 0
      ? []
      : await SHIPMENT.select(
          db,
          `FROM ${SHIPMENT_TABLES} WHERE s.id IN (${placeholders(shown.length)}) ORDER BY s.id DESC`,
          shown,
        );
  return { rows, total: ids.length, hasMore: isCut || (named?.hasMore ?? false) };
}

/** The parts of a search that find no more than is looked at. */
const BOUNDED = ['code', 'order', 'number', 'phone'];

/** Each finds ids and says how; `newest`: those among which a name is looked for. */
function partsOf({ accountId, licenseIds, text, looked }: ShipmentSearch, newest: Sql | null): Sql[] {
  const whole: Sql[] = [
    { sql: IDS_BY.uuid, params: [asciiOf(text).toLowerCase()] },
    { sql: IDS_BY.shortCode, params: [asciiOf(text).toUpperCase()] },
    ...[IDS_BY.trackingCode, IDS_BY.orderId, IDS_BY.orderNumber].map((sql) => ({
      sql: `${sql} WHERE l.account_id = ?`,
      params: [text, accountId],
    })),
  ];
  const ofLicenses = allOf([isOneOf('n.license_id', licenseIds)]);
  const beginning = Object.entries(BEGINNING).map(([via, sql]) => ({
    sql: `${labelled(sql, via)} AND ${ofLicenses.sql} LIMIT ?`,
    params: [beginningOf(text), ...ofLicenses.params, looked + 1],
  }));
  return [
    ...whole.map(({ sql, params }) => ({ sql: labelled(sql, 'whole'), params })),
    ...beginning,
    {
      sql: `SELECT id, 'phone' AS via FROM shipments FORCE INDEX (shipments_recipient)
        WHERE recipient_phone_key = ? AND account_id = ? LIMIT ?`,
      params: [phoneKey(text) || '-', accountId, looked + 1],
    },
    ...(newest === null
      ? []
      : [
          {
            sql: `SELECT t.id, 'name' AS via FROM (${newest.sql}) n
              STRAIGHT_JOIN shipments t ON t.id = n.id WHERE ${contains('t.recipient_name')}`,
            params: [...newest.params, patternOf(text)],
          },
        ]),
  ];
}

/** A statement of ids that says with each how it was found. */
function labelled(sql: string, via: string): string {
  return sql.replace(/^SELECT (t\.)?id/, `$&, '${via}' AS via`);
}

/** A range of each license's key: along a join with the licenses, MySQL reads all of a license. */
const BEGINNING = {
  code: 'SELECT id FROM shipments n FORCE INDEX (shipments_license_code) WHERE n.tracking_code LIKE ?',
  order: `SELECT t.id FROM orders n FORCE INDEX (orders_store_id)
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id WHERE n.order_id LIKE ?`,
  number: `SELECT t.id FROM orders n FORCE INDEX (orders_number)
    STRAIGHT_JOIN shipments t FORCE INDEX (shipments_order) ON t.order_id = n.id WHERE n.number LIKE ?`,
};

/** Those of the ids that are in the list, newest first. */
async function fittingIds(
  db: Executor,
  { accountId, licenseIds, filter }: ShipmentSearch,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const { status, active, serviceType, labelGenerated, createdFrom, createdTo } = filter;
  const { sql, params } = allOf([
    isOneOf('s.id', ids),
    ['s.account_id = ?', accountId],
    isOneOf('s.license_id', licenseIds),
    // Without a status, what waits for its carrier is found too, although the list has it under its own statuses.
    [
      status === undefined && labelGenerated === undefined
        ? "s.state <> 'refused'"
        : `s.state = '${stateOf(filter)}'`,
    ],
    ['s.status_code = ?', status],
    ['s.is_active = ?', active],
    ['s.service_type = ?', serviceType],
    ...(labelGenerated === undefined ? [] : [[`s.ready_at IS ${labelGenerated ? 'NOT ' : ''}NULL`] as const]),
    ['s.created_at >= ?', createdFrom && isoToSql(createdFrom)],
    ['s.created_at <= ?', createdTo && isoToSql(createdTo)],
  ]);
  return await s.id.select(db, `FROM shipments s WHERE ${sql} ORDER BY s.id DESC`, params);
}

/** Uuid and account of the shipments with a uuid or carrier's tracking code, two at most. */
export async function findShipmentOwner(db: Executor, name: string) {
  return await shape({ uuid: s.uuid, accountId: s.accountId }).select(
    db,
    `FROM (${IDS_BY.uuid} UNION ${IDS_BY.trackingCode}) found
     JOIN shipments s ON s.id = found.id ORDER BY s.id LIMIT 2`,
    [asciiOf(name).toLowerCase(), name],
  );
}
