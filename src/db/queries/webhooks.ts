import type { MailFacts } from '../../domain/notifications.js';
import { isoToSql } from '../../lib/time.js';
import type { Database, Executor, Row, SqlValue } from '../database.js';
import { bool, bytes, bytesOrNull, int, intOrNull, iso, isoOrNull, json, text, textOrNull } from '../row.js';
import { MERCHANT_COLUMNS, toMerchant } from './merchant.js';

/** A subscription as its owner sees it. Timestamps: ISO 8601 UTC with microseconds. */
export interface WebhookRecord {
  id: string;
  url: string;
  events: string[];
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A subscription as whoever sends to it needs it. Secrets are sealed, the newest first. */
export interface Subscription {
  id: string;
  accountId: number;
  /** Null where a store site serves every license of the account. */
  licenseId: number | null;
  /** The store site that is told by the routes of its plugin; null for a webhook. */
  storeSiteId: number | null;
  url: string;
  isActive: boolean;
  /** Of a store site its REST keys, `consumer key:consumer secret`. */
  secrets: Buffer[];
  /** Since when nothing succeeded; null while things do. */
  failingSince: string | null;
  /** It turned itself off and nobody has told the owner. */
  tellOwner: boolean;
}

/** Why a subscription turned itself off. */
export type DisabledReason = 'gone' | 'failing';

/** Names one subscription of one license. */
export interface WebhookKey {
  accountId: number;
  licenseId: number;
  id: string;
}

const COLUMNS = 'id, url, events, is_active, created_at, updated_at';
const OWN = 'id = ? AND account_id = ? AND license_id = ? AND store_site_id IS NULL AND deleted_at IS NULL';

function own({ id, accountId, licenseId }: WebhookKey): SqlValue[] {
  return [id, accountId, licenseId];
}

/** A license's subscriptions, oldest first. */
export async function listWebhooks(
  db: Executor,
  args: { accountId: number; licenseId: number },
): Promise<WebhookRecord[]> {
  const rows = await db.select(
    `SELECT ${COLUMNS} FROM webhook_subscriptions
     WHERE license_id = ? AND account_id = ? AND store_site_id IS NULL AND deleted_at IS NULL ORDER BY created_at, id`,
    [args.licenseId, args.accountId],
  );
  return rows.map(toWebhook);
}

/** One subscription of the license, or null. */
export async function findWebhook(db: Executor, key: WebhookKey): Promise<WebhookRecord | null> {
  const [row] = await db.select(`SELECT ${COLUMNS} FROM webhook_subscriptions WHERE ${OWN}`, own(key));
  return row === undefined ? null : toWebhook(row);
}

/** Adds a subscription; `secret` is sealed. False when the license has `limit` already, counted one at a time. */
export async function insertWebhook(
  db: Database,
  key: WebhookKey,
  values: { url: string; events: readonly string[]; secret: Buffer; limit: number },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.select('SELECT id FROM licenses WHERE id = ? FOR UPDATE', [key.licenseId]);
    const [row] = await tx.select(
      `SELECT COUNT(*) AS number FROM webhook_subscriptions
       WHERE license_id = ? AND store_site_id IS NULL AND deleted_at IS NULL`,
      [key.licenseId],
    );
    if (row !== undefined && int(row, 'number') >= values.limit) return false;
    await tx.run(
      `INSERT INTO webhook_subscriptions (id, account_id, license_id, url, events, secret) VALUES (?, ?, ?, ?, ?, ?)`,
      [...own(key), values.url, JSON.stringify(values.events), values.secret],
    );
    return true;
  });
}

/** Changes what is given. Turning it on again forgets why it was off. */
export async function updateWebhook(
  db: Executor,
  key: WebhookKey,
  changes: { url?: string; events?: readonly string[]; isActive?: boolean },
): Promise<void> {
  const sets = ['updated_at = NOW(6)'];
  const params: SqlValue[] = [];
  if (changes.url !== undefined) {
    // Before the address itself: assignments take effect from left to right.
    sets.push('failing_since = IF(url = ?, failing_since, NULL)', 'url = ?');
    params.push(changes.url, changes.url);
  }
  if (changes.events !== undefined) {
    sets.push('events = ?');
    params.push(JSON.stringify(changes.events));
  }
  if (changes.isActive !== undefined) {
    sets.push('is_active = ?');
    params.push(changes.isActive);
    if (changes.isActive) {
      sets.push('failing_since = NULL', 'disabled_reason = NULL', 'owner_told_at = NULL');
    }
  }
  await db.run(`UPDATE webhook_subscriptions SET ${sets.join(', ')} WHERE ${OWN}`, [...params, ...own(key)]);
}

/** Ends a subscription; its deliveries are deleted by the housekeeping. False when there is none. */
export async function deleteWebhook(db: Executor, key: WebhookKey): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_subscriptions SET is_active = FALSE, deleted_at = NOW(6) WHERE ${OWN}`,
    own(key),
  );
  return result.affectedRows > 0;
}

/** Sets a new sealed secret; the one before also signs until `overlapUntil`. False when there is no subscription. */
export async function replaceSecret(
  db: Executor,
  key: WebhookKey,
  args: { secret: Buffer; overlapUntil: string },
): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_subscriptions
     SET previous_secret = secret, previous_secret_until = ?, secret = ?, updated_at = NOW(6) WHERE ${OWN}`,
    [isoToSql(args.overlapUntil), args.secret, ...own(key)],
  );
  return result.affectedRows > 0;
}

/** A subscription by its id alone, for the worker that sends; null when there is none or it was deleted. */
export async function loadSubscription(db: Executor, id: string): Promise<Subscription | null> {
  const [row] = await db.select(
    `SELECT id, account_id, license_id, store_site_id, url, is_active, secret, failing_since,
       IF(previous_secret_until > NOW(6), previous_secret, NULL) AS old_secret,
       is_active = FALSE AND disabled_reason IS NOT NULL AND owner_told_at IS NULL AS tell_owner
     FROM webhook_subscriptions WHERE id = ? AND deleted_at IS NULL`,
    [id],
  );
  if (row === undefined) return null;
  const old = bytesOrNull(row, 'old_secret');
  return {
    id: text(row, 'id'),
    accountId: int(row, 'account_id'),
    licenseId: intOrNull(row, 'license_id'),
    storeSiteId: intOrNull(row, 'store_site_id'),
    url: text(row, 'url'),
    isActive: bool(row, 'is_active'),
    secrets: [bytes(row, 'secret'), ...(old === null ? [] : [old])],
    failingSince: isoOrNull(row, 'failing_since'),
    tellOwner: bool(row, 'tell_owner'),
  };
}

/** Notes that a delivery succeeded after failures. */
export async function noteSuccess(db: Executor, id: string): Promise<void> {
  await db.run('UPDATE webhook_subscriptions SET failing_since = NULL WHERE id = ?', [id]);
}

/** Notes the first failure after a success, unless the address has changed since the attempt. */
export async function noteFailure(db: Executor, { id, url }: AskedAddress): Promise<void> {
  await db.run(
    'UPDATE webhook_subscriptions SET failing_since = NOW(6) WHERE id = ? AND url = ? AND failing_since IS NULL',
    [id, url],
  );
}

/** The subscription that an attempt was made for, and the address that it went to. */
type AskedAddress = Pick<Subscription, 'id' | 'url'>;

/**
 * Turns a subscription off because its receiver is gone, or has failed for so many days. False when it was off, or has
 * another address since.
 */
export async function disableWebhook(
  db: Executor,
  { id, url }: AskedAddress,
  { reason, failingForDays }: { reason: DisabledReason; failingForDays: number },
): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_subscriptions
     SET is_active = FALSE, disabled_reason = ?, owner_told_at = NULL, updated_at = NOW(6)
     WHERE id = ? AND url = ? AND is_active AND (? = 0 OR failing_since <= NOW(6) - INTERVAL ? DAY)`,
    [reason, id, url, failingForDays, failingForDays],
  );
  return result.affectedRows > 0;
}

/** Whom to tell that a subscription turned itself off, and about what; null when that is done or not so any more. */
export interface OwnerNotice {
  email: string;
  accountName: string;
  merchant: MailFacts['merchant'];
  url: string;
  reason: string;
  /** When it was turned off. */
  offSince: string;
}

/** The notice that is due, or null. */
export async function findOwnerNotice(db: Executor, id: string): Promise<OwnerNotice | null> {
  const [row] = await db.select(
    `SELECT a.email, ${MERCHANT_COLUMNS}, w.url, w.disabled_reason, w.updated_at
     FROM webhook_subscriptions w JOIN accounts a ON a.id = w.account_id
     WHERE w.id = ? AND w.is_active = FALSE AND w.disabled_reason IS NOT NULL AND w.owner_told_at IS NULL
       AND w.deleted_at IS NULL`,
    [id],
  );
  if (row === undefined) return null;
  return {
    email: text(row, 'email'),
    accountName: text(row, 'account_name'),
    merchant: toMerchant(row),
    url: text(row, 'url'),
    reason: textOrNull(row, 'disabled_reason') ?? '',
    offSince: iso(row, 'updated_at'),
  };
}

/** Notes that the owner knows. */
export async function markOwnerTold(db: Executor, id: string): Promise<void> {
  await db.run('UPDATE webhook_subscriptions SET owner_told_at = NOW(6) WHERE id = ?', [id]);
}

function toWebhook(row: Row): WebhookRecord {
  const events = json(row, 'events');
  return {
    id: text(row, 'id'),
    url: text(row, 'url'),
    events: Array.isArray(events) ? events.map(String) : [],
    isActive: bool(row, 'is_active'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
