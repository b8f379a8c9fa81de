import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import { findCarrierLabel } from '../../db/queries/labels/labels.js';
import {
  eraseAddresses,
  eraseImportRows,
  eraseRecipient,
  eraseShipment,
  isOver,
  listPersonalShipments,
  type PersonalShipment,
  type Whose,
} from '../../db/queries/shipments/erasure.js';
import { listRecipients } from '../../db/queries/shipments/recipients.js';
import { carrierLabelKey } from '../../documents/labels/stored.js';
import { phoneKey } from '../../domain/phone.js';
import { deriveKey } from '../../lib/app-keys.js';
import { nowIso } from '../../lib/time.js';
import { lastingKey } from '../accounts/lasting-key.js';
import type { App } from '../app.js';
import { type ActingApp, auditedAct } from './audited.js';
import { Email, fieldError, type Given, Id, requestCheck } from './check.js';

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));
const checkWanted = requestCheck({
  phone: text,
  email: Type.Optional(Email),
  order: text,
  account: Type.Optional(Id),
});

type ErasingApp = ActingApp & Pick<App<'appKeys'>, 'config' | 'storage'>;

/** The proof of an erasure. Times: ISO 8601 UTC. */
interface Erasure {
  erasedAt: string;
  /** Keyed hash of the phone, e-mail or order, as the audit has it: shows later whose data it was. */
  reference: string;
  /** Rows changed or deleted, by table; files by the folder of the document store. */
  erased: { what: string; rows: number }[];
  /** Uuids of shipments under way, whose data are still needed; ask again once they have ended. */
  underWay: string[];
  /** Where the data ends by itself. */
  left: { what: string; until: string }[];
}

/** `columns`: where the schema holds it; none for what is outside it. */
export const LEFT: readonly { what: string; until: string; columns?: readonly string[] }[] = [
  { what: 'histories of ended runs in Temporal', until: "the namespace's retention" },
  {
    what: 'answers to repeated requests (idempotency_keys)',
    until: 'the key ends, within 30 days',
    columns: ['idempotency_keys.response_body'],
  },
  {
    what: 'logged answers of API v1 (response_logs)',
    until: 'RETENTION_RESPONSE_DAYS',
    columns: ['response_logs.body'],
  },
  {
    what: 'tables of files of orders, where the person was not read from them',
    until: 'the draft ends, within 14 days',
  },
  { what: 'printed labels in the document store', until: 'RETENTION_LABEL_DAYS, or the rule of the bucket' },
  {
    what: 'failed items of batches',
    until: 'RETENTION_BATCH_DAYS',
    columns: ['batch_items.payload', 'batch_items.error'],
  },
  { what: 'files of exports', until: 'their link ends, after 7 days' },
  {
    what: "what webhooks told of refusals in the carrier's words, and what receivers answered (webhook_deliveries)",
    until: 'RETENTION_DELIVERY_DAYS',
    columns: ['webhook_deliveries.payload', 'webhook_attempts.response_body', 'webhook_attempts.error'],
  },
  {
    what: 'reasons that operators typed (audit_log)',
    until: 'they are removed by hand',
    columns: ['audit_log.values_before', 'audit_log.values_after'],
  },
  {
    what: "that the person stopped a merchant's mails, as a keyed hash of the address",
    until: 'they want them again',
  },
  { what: 'backups, the carrier, the mail server, the merchant', until: 'they are asked' },
];

/**
 * Erases the data of one recipient, by phone or e-mail, or of one order: what happened stays, to whom does not.
 * Parcels under way are left. @throws AppError `validation_failed` unless exactly one of them is given
 */
export async function eraseData(app: ErasingApp, request: Given<typeof checkWanted>): Promise<Erasure> {
  const values = checkWanted(request);
  const { kind, value, whose } = whoseOf(values);
  const key = deriveKey(await lastingKey(app.db, app.config.appKeys), 'erasure');
  const reference = createHmac('sha256', key).update(value, 'utf8').digest('hex').slice(0, 32);
  const about = { target: { kind, id: reference }, accountId: values.account ?? null };
  return await auditedAct(
    app,
    'recipients.erase',
    about,
    () => erase(app, whose, reference),
    ({ erased, underWay }) =>
      [...erased.map(({ what, rows }) => `${what} ${rows}`), `under way ${underWay.length}`].join(', '),
  );
}

/** Finds as {@link eraseData} would: shipments to erase, and those under way. @throws as there */
export async function previewErasure(
  { db }: Pick<App, 'db'>,
  request: Given<typeof checkWanted>,
): Promise<{ shipments: string[]; underWay: string[]; recipients: number }> {
  const { whose } = whoseOf(checkWanted(request));
  const found = await listPersonalShipments(db, whose);
  return {
    shipments: found.filter(isOver).map(({ uuid }) => uuid),
    underWay: found.filter((one) => !isOver(one)).map(({ uuid }) => uuid),
    recipients: 'phoneKey' in whose ? (await recipientsOf({ db }, whose.phoneKey)).length : 0,
  };
}

function whoseOf({ phone, email, order, account }: ReturnType<typeof checkWanted>): {
  kind: string;
  value: string;
  whose: Whose;
} {
  if ([phone, email, order].filter((one) => one !== undefined).length !== 1) {
    throw fieldError('request', 'erase_one');
  }
  if (email !== undefined) return { kind: 'email', value: email.toLowerCase(), whose: { email } };
  if (order !== undefined) {
    // Shops count from 1: another merchant has an order of that number too.
    if (account === undefined) throw fieldError('account', 'with_order');
    return { kind: 'order', value: order, whose: { orderId: order, accountId: account } };
  }
  const key = phoneKey(phone ?? '');
  if (key.length < 4) throw fieldError('phone', 'phone_number');
  return { kind: 'phone', value: key, whose: { phoneKey: key } };
}

async function erase(app: ErasingApp, whose: Whose, reference: string): Promise<Erasure> {
  const found = await listPersonalShipments(app.db, whose);
  const counts = new Map<string, number>();
  const add = (rows: Record<string, number>) => {
    for (const [what, count] of Object.entries(rows)) counts.set(what, (counts.get(what) ?? 0) + count);
  };
  for (const shipment of found.filter(isOver)) add(await eraseOne(app, shipment));
  add(await app.db.transaction((tx) => eraseImportRows(tx, whose)));
  add(await app.db.transaction((tx) => eraseAddresses(tx, whose)));
  if ('phoneKey' in whose) {
    for (const id of await recipientsOf(app, whose.phoneKey)) {
      add(await app.db.transaction((tx) => eraseRecipient(tx, id)));
    }
  }
  return {
    erasedAt: nowIso(),
    reference,
    erased: [...counts].map(([what, rows]) => ({ what, rows })).filter(({ rows }) => rows > 0),
    underWay: found.filter((one) => !isOver(one)).map(({ uuid }) => uuid),
    left: LEFT.map(({ what, until }) => ({ what, until })),
  };
}

async function eraseOne(
  { db, storage }: ErasingApp,
  shipment: PersonalShipment,
): Promise<Record<string, number>> {
  const { id: shipmentId, accountId } = shipment;
  // Only a carrier's own label has a file that is known by the shipment.
  const label = await findCarrierLabel(db, { accountId, shipmentId });
  if (label !== null) await storage.delete(carrierLabelKey(label.uuid));
  return await db.transaction((tx) => eraseShipment(tx, shipment));
}

/** Their phones are kept as they were typed, so every one is read. */
async function recipientsOf({ db }: Pick<App, 'db'>, key: string): Promise<number[]> {
  const ids: number[] = [];
  for (let afterId = 0; ; ) {
    const page = await listRecipients(db, { afterId, limit: 1000 });
    ids.push(...page.filter(({ phone }) => phoneKey(phone) === key).map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) return ids;
    afterId = last.id;
  }
}
