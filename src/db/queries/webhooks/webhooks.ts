import { Type } from 'typebox';
import { compileOnUse } from '../../../lib/schema.js';
import type { Database, Executor, SqlValue } from '../../database.js';
import { bool, int, iso } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, licenses, webhookSubscriptions } from '../../tables/index.js';
import { MERCHANT } from '../accounts/merchant.js';

/** A replaced secret. `sealed`: base64; `until`: ISO 8601 UTC with microseconds. */
const checkOlder = compileOnUse<{ sealed: string; until: string }[]>(
  Type.Array(Type.Object({ sealed: Type.String(), until: Type.String() })),
);

function olderOf(stored: unknown) {
  if (stored === null) return [];
  if (checkOlder()(stored)) return stored;
  throw new Error('webhook_subscriptions.older_secrets is not a list of secrets.');
}

/** Why a webhook of a disabled account is off. */
const ACCOUNT_DISABLED = 'account_disabled';

const WEBHOOK = webhookSubscriptions.pick('id', 'url', 'events', 'isActive', 'createdAt', 'updatedAt');
const w = webhookSubscriptions.as('w');
/** Whose a subscription of `webhook_subscriptions w` is, where it goes, and whether it gets there. */
export const TARGET = {
  id: w.id,
  accountId: w.accountId,
  licenseId: w.licenseId,
  /** Set where it is the plugin of a connected store. */
  storeSiteId: w.storeSiteId,
  url: w.url,
  isActive: w.isActive,
  /** Since when no delivery has succeeded; null while they do. */
  failingSince: w.failingSince,
};
const SECRETS = shape({ current: w.secret, older: w.olderSecrets, now: expression('NOW(6)', iso) });

const SUBSCRIPTION = shape({
  ...TARGET,
  /** Sealed, the newest first. Of a store site its REST keys, `consumer key:consumer secret`. */
  secrets: SECRETS.map(({ current, older, now }) => [
    current,
    ...olderOf(older)
      .filter(({ until }) => until > now)
      .map(({ sealed }) => Buffer.from(sealed, 'base64')),
  ]),
  /** It turned itself off and the owner is not notified yet. */
  tellOwner: expression(
    'w.is_active = FALSE AND w.disabled_reason IS NOT NULL AND w.owner_told_at IS NULL',
    bool,
  ),
});

/** A subscription as its owner sees it. Timestamps: ISO 8601 UTC with microseconds. */
export type WebhookRecord = Selected<typeof WEBHOOK>;

/** A subscription as the sender needs it. */
export type Subscription = Selected<typeof SUBSCRIPTION>;

/** Names one subscription of one license. */
export interface WebhookKey {
  accountId: number;
  licenseId: number;
  id: string;
}

const OWN = 'id = ? AND account_id = ? AND license_id = ? AND store_site_id IS NULL AND deleted_at IS NULL';

function own({ id, accountId, licenseId }: WebhookKey): SqlValue[] {
  return [id, accountId, licenseId];
}

/** A license's subscriptions, oldest first. */
export async function listWebhooks(
  db: Executor,
  args: { accountId: number; licenseId: number },
): Promise<WebhookRecord[]> {
  const { accountId, licenseId } = args;
  const own = { accountId, licenseId, storeSiteId: null, deletedAt: null };
  return await webhookSubscriptions.find(db, WEBHOOK, own, { order: ['createdAt', 'id'] });
}

/** One subscription of the license, or null. */
export async function findWebhook(db: Executor, key: WebhookKey): Promise<WebhookRecord | null> {
  return await WEBHOOK.first(db, `FROM webhook_subscriptions WHERE ${OWN}`, own(key));
}

/**
 * Adds a subscription; `secret` is sealed. False when the license has reached `limit`; concurrent calls are serialized.
 */
export async function insertWebhook(
  db: Database,
  key: WebhookKey,
  values: { url: string; events: readonly string[]; secret: Buffer; limit: number },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await licenses.takeTurn(tx, { id: key.licenseId, accountId: key.accountId });
    const count = await expression('COUNT(*)', int).first(
      tx,
      `FROM webhook_subscriptions
       WHERE license_id = ? AND store_site_id IS NULL AND deleted_at IS NULL`,
      [key.licenseId],
    );
    if (count !== null && count >= values.limit) return false;
    const { url, events, secret } = values;
    await webhookSubscriptions.insert(tx, { ...key, url, events: [...events], secret });
    return true;
  });
}

/** Changes the given fields. Turning it on again clears why it was off. */
export async function updateWebhook(
  db: Executor,
  key: WebhookKey,
  changes: { url?: string; events?: readonly string[]; isActive?: boolean },
): Promise<void> {
  const sets = ['updated_at = NOW(6)'];
  const params: SqlValue[] = [];
  if (changes.url !== undefined) {
    // Precedes the address: assignments take effect from left to right.
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

/** Ends a subscription; housekeeping deletes its deliveries. False when there is none. */
export async function deleteWebhook(db: Executor, key: WebhookKey): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_subscriptions SET is_active = FALSE, deleted_at = NOW(6) WHERE ${OWN}`,
    own(key),
  );
  return result.affectedRows > 0;
}

/**
 * Sets a new sealed secret. The replaced one signs until `overlapUntil` too, older ones until their own time is over,
 * `most` of them at once; without an overlap all end now. False without such a subscription.
 */
export async function replaceSecret(
  db: Database,
  key: WebhookKey,
  args: { secret: Buffer; overlapUntil: string | null; most: number },
): Promise<boolean> {
  const { secret, overlapUntil, most } = args;
  return await db.transaction(async (tx) => {
    const present = await SECRETS.first(tx, `FROM webhook_subscriptions w WHERE ${OWN} FOR UPDATE`, own(key));
    if (present === null) return false;
    const open = olderOf(present.older).filter(({ until }) => until > present.now);
    const replaced = { sealed: present.current.toString('base64'), until: overlapUntil };
    const older = overlapUntil === null ? [] : [replaced, ...open].slice(0, most);
    const changes = 'secret = ?, older_secrets = ?, updated_at = NOW(6)';
    await tx.run(`UPDATE webhook_subscriptions SET ${changes} WHERE ${OWN}`, [
      secret,
      JSON.stringify(older),
      ...own(key),
    ]);
    return true;
  });
}

/** A subscription by id alone, for the sending worker; null when there is none or it was deleted. */
export async function loadSubscription(db: Executor, id: string): Promise<Subscription | null> {
  return await SUBSCRIPTION.first(
    db,
    'FROM webhook_subscriptions w WHERE w.id = ? AND w.deleted_at IS NULL',
    [id],
  );
}

/** Records a success after failures. */
export async function noteSuccess(db: Executor, id: string): Promise<void> {
  await db.run('UPDATE webhook_subscriptions SET failing_since = NULL WHERE id = ?', [id]);
}

/** Records the first failure after a success, unless the address has changed since the attempt. */
export async function noteFailure(db: Executor, { id, url }: AskedAddress): Promise<void> {
  await db.run(
    'UPDATE webhook_subscriptions SET failing_since = NOW(6) WHERE id = ? AND url = ? AND failing_since IS NULL',
    [id, url],
  );
}

/** The subscription of an attempt, and the address used. */
type AskedAddress = Pick<Subscription, 'id' | 'url'>;

/** Turns a subscription off: its receiver is gone, or failed for days. False when it was off or has a new address. */
export async function disableWebhook(
  db: Executor,
  { id, url }: AskedAddress,
  { reason, failingForDays }: { reason: 'gone' | 'failing'; failingForDays: number },
): Promise<boolean> {
  const result = await db.run(
    `UPDATE webhook_subscriptions
     SET is_active = FALSE, disabled_reason = ?, owner_told_at = NULL, updated_at = NOW(6)
     WHERE id = ? AND url = ? AND is_active AND (? = 0 OR failing_since <= NOW(6) - INTERVAL ? DAY)`,
    [reason, id, url, failingForDays, failingForDays],
  );
  return result.affectedRows > 0;
}

const a = accounts.as('a');
const NOTICE = shape({
  email: a.email,
  accountName: a.name,
  merchant: MERCHANT,
  url: w.url,
  reason: w.disabledReason.map((reason) => reason ?? ''),
  /** When it was turned off. */
  offSince: w.updatedAt,
});

/** The due notice to the owner that a subscription turned itself off; null when it was sent or no longer applies. */
export async function findOwnerNotice(db: Executor, id: string): Promise<Selected<typeof NOTICE> | null> {
  return await NOTICE.first(
    db,
    `FROM webhook_subscriptions w JOIN accounts a ON a.id = w.account_id
     WHERE w.id = ? AND w.is_active = FALSE AND w.disabled_reason IS NOT NULL AND w.owner_told_at IS NULL
       AND w.deleted_at IS NULL`,
    [id],
  );
}

/** Records that the owner was notified. */
export async function markOwnerTold(db: Executor, id: string): Promise<void> {
  await db.run('UPDATE webhook_subscriptions SET owner_told_at = NOW(6) WHERE id = ?', [id]);
}

/**
 * Turns an account's webhooks and connected stores off, or on again what was turned off so. Waiting
 * deliveries are given up. The account gets no mail of it.
 */
export async function switchAccountWebhooks(
  db: Executor,
  { accountId, isDisabled }: { accountId: number; isDisabled: boolean },
): Promise<void> {
  await (isDisabled
    ? db.run(
        `UPDATE webhook_subscriptions
         SET is_active = FALSE, disabled_reason = ?, owner_told_at = NOW(6), updated_at = NOW(6)
         WHERE account_id = ? AND is_active`,
        [ACCOUNT_DISABLED, accountId],
      )
    : db.run(
        `UPDATE webhook_subscriptions
         SET is_active = TRUE, disabled_reason = NULL, owner_told_at = NULL, failing_since = NULL, updated_at = NOW(6)
         WHERE account_id = ? AND disabled_reason = ? AND deleted_at IS NULL`,
        [accountId, ACCOUNT_DISABLED],
      ));
}
