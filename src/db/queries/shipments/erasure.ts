import { phoneKey } from '../../../domain/phone.js';
import { isFinal } from '../../../domain/statuses.js';
import type { Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { orders, shipments } from '../../tables/index.js';

const s = shipments.as('s');

/** Where a shipment's JSON may hold a phone or e-mail: what the carrier knows, and whom the shop sends to and bills. */
function storedAll(field: 'phone' | 'email'): string[] {
  return [
    `JSON_EXTRACT(s.details, '$.recipient.${field}')`,
    ...['shipping', 'billing'].flatMap((whose) => [
      `JSON_EXTRACT(o.${whose}, '$.${field}')`,
      `JSON_EXTRACT(s.pending_order, '$.${whose}.${field}')`,
    ]),
  ].map((value) => `IF(JSON_TYPE(${value}) = 'NULL', NULL, JSON_UNQUOTE(${value}))`);
}

const FOUND = shape({
  id: s.id,
  uuid: s.uuid,
  accountId: s.accountId,
  orderRowId: s.orderId,
  state: s.state,
  status: s.statusCode,
  orderId: orders.as('o').orderId,
  phones: expression(`CONCAT_WS('\n', s.recipient_phone, ${storedAll('phone').join(', ')})`, text),
});
const TABLES = 'shipments s JOIN orders o ON o.id = s.order_id';
/** Shipments of one erasure; a person with more is erased by several. */
const MOST = 1000;

/** A shipment of the person or order. */
export type PersonalShipment = Selected<typeof FOUND>;

/** Whose data: a phone as `phoneKey` makes it, an e-mail address in any case, or an order by the shop's id. */
export type Whose = { phoneKey: string } | { email: string } | { orderId: string; accountId: number };

/**
 * Their shipments that are not erased yet, oldest first, 1000 at most. A phone or an e-mail address is looked for
 * wherever a shipment and its order hold one, in every row.
 */
export async function listPersonalShipments(db: Executor, whose: Whose): Promise<PersonalShipment[]> {
  const [where, params] = whereOf(whose);
  const found = await FOUND.select(
    db,
    `FROM ${TABLES} WHERE (${where}) AND s.recipient_name <> '' ORDER BY s.id LIMIT ${MOST}`,
    params,
  );
  if (!('phoneKey' in whose)) return found;
  return found.filter(({ phones }) => phones.split('\n').some((phone) => phoneKey(phone) === whose.phoneKey));
}

function whereOf(whose: Whose): [string, (string | number)[]] {
  if ('phoneKey' in whose) {
    // Anything may stand between the digits, and before them a country code.
    const digits = `%${whose.phoneKey.replace(/^0+/, '')}%`;
    const held = storedAll('phone').map((value) => `REGEXP_REPLACE(${value}, '[^0-9]', '') LIKE ?`);
    return [['s.recipient_phone_key = ?', ...held].join(' OR '), [whose.phoneKey, ...held.map(() => digits)]];
  }
  if ('email' in whose) {
    const held = ['s.recipient_email', ...storedAll('email')];
    return [held.map((value) => `LOWER(${value}) = LOWER(?)`).join(' OR '), held.map(() => whose.email)];
  }
  return ['o.order_id = ? AND s.account_id = ?', [whose.orderId, whose.accountId]];
}

/** Whether nothing happens to the parcel any more, so that nobody needs to know whose it is. */
export function isOver({ state, status }: Pick<PersonalShipment, 'state' | 'status'>): boolean {
  return state === 'refused' || (state === 'created' && isFinal(status));
}

/**
 * Removes a shipment's personal data, within a transaction: numbers, codes, times and money stay. An order with other
 * shipments under way keeps its data. Returns how many rows of each table were changed or deleted.
 */
export async function eraseShipment(
  tx: Executor,
  { id, uuid, orderRowId }: PersonalShipment,
): Promise<Record<string, number>> {
  const rows = async (sql: string, value: number | string) => (await tx.run(sql, [value])).affectedRows;
  return {
    shipments: await rows(
      `UPDATE shipments s JOIN shipping_statuses t ON t.code = s.status_code
       SET s.recipient_name = '', s.recipient_phone = '', s.recipient_phone_key = '', s.recipient_email = NULL,
         s.recipient_company = NULL, s.recipient_street = NULL, s.recipient_number = NULL,
         s.recipient_entrance = NULL, s.recipient_floor = NULL, s.recipient_apartment = NULL,
         s.recipient_city = NULL, s.recipient_state = NULL, s.recipient_zip = NULL,
         s.details = '{}', s.pending_order = NULL, s.status_description = t.name
       WHERE s.id = ?`,
      id,
    ),
    orders: await rows(
      `UPDATE orders o SET o.billing = '{}', o.shipping = '{}', o.meta_data = NULL
       WHERE o.id = ? AND NOT EXISTS (
         SELECT 1 FROM shipments s JOIN shipping_statuses t ON t.code = s.status_code
         WHERE s.order_id = o.id AND s.state <> 'refused' AND t.is_final = FALSE)`,
      orderRowId,
    ),
    shipment_events: await rows(
      `UPDATE shipment_events e JOIN shipping_statuses t ON t.code = e.code
       SET e.description = t.name, e.carrier_description = NULL, e.location = NULL WHERE e.shipment_id = ?`,
      id,
    ),
    carrier_attempts: await rows(
      'UPDATE carrier_attempts SET outcome_text = NULL WHERE shipment_uuid = ?',
      uuid,
    ),
    inbound_events: await rows(
      `UPDATE inbound_events SET carrier_description = '', location = NULL WHERE shipment_id = ?`,
      id,
    ),
    notification_logs: await rows('DELETE FROM notification_logs WHERE shipment_id = ?', id),
    batch_items: await rows('UPDATE batch_items SET payload = NULL WHERE shipment_uuid = ?', uuid),
    idempotency_keys: await rows(
      'DELETE FROM idempotency_keys WHERE shipment_uuid = ? AND expires_at <= NOW(6)',
      uuid,
    ),
    carrier_labels: await rows('DELETE FROM carrier_labels WHERE shipment_id = ?', id),
  };
}

/** Deletes a user of the recipients' app with the tokens, within a transaction. */
export async function eraseRecipient(tx: Executor, recipientId: number): Promise<Record<string, number>> {
  const tokens = await tx.run('DELETE FROM personal_access_tokens WHERE recipient_id = ?', [recipientId]);
  const { affectedRows } = await tx.run('DELETE FROM recipients WHERE id = ?', [recipientId]);
  return { personal_access_tokens: tokens.affectedRows, recipients: affectedRows };
}

/**
 * Deletes the person's or the order's rows in drafts of orders, with the tables of their files, within a transaction. The
 * other orders of a draft stay.
 */
export async function eraseImportRows(tx: Executor, whose: Whose): Promise<Record<string, number>> {
  const [where, params] = importsOf(whose);
  const rows = `import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE ${where}`;
  const drafts = await tx.run(
    `UPDATE import_drafts SET packed_table = NULL WHERE id IN (SELECT id FROM (SELECT d.id FROM ${rows}) found)`,
    params,
  );
  const deleted = await tx.run(`DELETE r FROM ${rows}`, params);
  return { import_rows: deleted.affectedRows, import_drafts: drafts.affectedRows };
}

/** Deletes the addresses that accounts keep of a person, within a transaction; an order has none. */
export async function eraseAddresses(tx: Executor, whose: Whose): Promise<Record<string, number>> {
  if ('orderId' in whose) return {};
  const [where, value] =
    'phoneKey' in whose ? ['phone_key = ?', whose.phoneKey] : ['LOWER(email) = LOWER(?)', whose.email];
  const { affectedRows } = await tx.run(`DELETE FROM kept_addresses WHERE ${where}`, [value]);
  return { kept_addresses: affectedRows };
}

function importsOf(whose: Whose): [string, (string | number)[]] {
  if ('phoneKey' in whose) return ['r.phone_key = ?', [whose.phoneKey]];
  if ('email' in whose) return ['LOWER(r.email) = LOWER(?)', [whose.email]];
  const { orderId, accountId } = whose;
  return accountId === undefined
    ? ['r.order_id = ?', [orderId]]
    : ['r.order_id = ? AND d.account_id = ?', [orderId, accountId]];
}
