import { phoneKey } from '../../../domain/phone.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { accounts, shipments } from '../../tables/index.js';
import { asciiOf, IDS_BY } from './shipment-search.js';
import { SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

const s = shipments.as('s');
const FOUND = shape({ merchant: accounts.as('a').name, shipment: SHIPMENT });

/** A shipment of any account, and its account's name. */
export type FoundShipment = Selected<typeof FOUND>;

/** The newest shipments with a phone in a state, along the whole key. */
const BY_PHONE = `SELECT id FROM shipments FORCE INDEX (shipments_recipient)
  WHERE recipient_phone_key = ? AND state = ? ORDER BY id DESC`;

/**
 * The shipments of all accounts, also those that wait, whose uuid, tracking code, order or phone is the text, newest
 * first; `most` of each kind and in all. No key begins with an order or a carrier's code, so these are looked up once in
 * each license.
 */
export async function searchEverywhere(db: Executor, text: string, most: number): Promise<FoundShipment[]> {
  const phone = phoneKey(text) || '-';
  const parts = [
    { sql: IDS_BY.uuid, params: [asciiOf(text).toLowerCase()] },
    { sql: IDS_BY.shortCode, params: [asciiOf(text).toUpperCase()] },
    ...[IDS_BY.trackingCode, IDS_BY.orderId, IDS_BY.orderNumber].map((sql) => ({ sql, params: [text] })),
    ...['created', 'reserved'].map((state) => ({ sql: BY_PHONE, params: [phone, state] })),
  ];
  const ids = await s.id.select(
    db,
    `FROM (${parts.map(({ sql }) => `(${sql} LIMIT ?)`).join(' UNION ')}) s ORDER BY s.id DESC LIMIT ?`,
    [...parts.flatMap(({ params }) => [...params, most]), most],
  );
  if (ids.length === 0) return [];
  return await FOUND.select(
    db,
    `FROM ${SHIPMENT_TABLES} JOIN accounts a ON a.id = s.account_id
     WHERE s.id IN (${placeholders(ids.length)}) AND s.state <> 'refused' ORDER BY s.id DESC`,
    ids,
  );
}
