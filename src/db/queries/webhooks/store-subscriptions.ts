import type { WakeTarget } from '../../../contracts/wake.js';
import { LICENSE_EVENT, STORE_EVENTS } from '../../../domain/events.js';
import { uuidV7 } from '../../../lib/ids.js';
import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { webhookSubscriptions } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';
import { insertDeliveries } from './events.js';

/**
 * Starts notifying a store site through its plugin's routes, or replaces its keys. `url`: address of its WordPress.
 * `secret`: its REST keys, sealed.
 */
export async function connectStore(
  db: Executor,
  store: Pick<RowOf<typeof webhookSubscriptions>, 'accountId' | 'licenseId' | 'url' | 'secret'> & {
    siteId: number;
  },
): Promise<void> {
  await db.run(
    `INSERT INTO webhook_subscriptions (id, account_id, license_id, store_site_id, url, events, secret, is_active)
     SELECT ?, ?, ?, id, ?, ?, ?, is_active FROM store_sites WHERE id = ?
     ON DUPLICATE KEY UPDATE url = VALUES(url), secret = VALUES(secret), failing_since = NULL, updated_at = NOW(6)`,
    [
      uuidV7(),
      store.accountId,
      store.licenseId,
      store.url,
      JSON.stringify(STORE_EVENTS),
      store.secret,
      store.siteId,
    ],
  );
}

/** Deletes the site's keys; its waiting deliveries are given up. */
export async function disconnectStore(db: Executor, siteId: number): Promise<void> {
  await db.run(
    `UPDATE webhook_subscriptions SET is_active = FALSE, deleted_at = NOW(6), store_site_id = NULL
     WHERE store_site_id = ?`,
    [siteId],
  );
}

/** Turns notifying the site on or off; does nothing without keys. */
export async function switchStore(db: Executor, siteId: number, isActive: boolean): Promise<void> {
  await db.run(
    `UPDATE webhook_subscriptions SET is_active = ?, failing_since = NULL, updated_at = NOW(6) WHERE store_site_id = ?`,
    [isActive, siteId],
  );
}

const w = webhookSubscriptions.as('w');
const TOLD = shape({
  subscriptionId: w.id,
  licenseId: w.licenseId,
  waits: expression(
    `EXISTS (SELECT 1 FROM webhook_deliveries d
       WHERE d.subscription_id = w.id AND d.event = ? AND d.status = 'pending')`,
    bool,
  ),
});

/**
 * Records that the stores of a license must read it again, once for any number of changes until the delivery. The
 * returned targets may be woken; a Schedule makes up for it.
 */
export async function recordLicenseChange(
  db: Executor,
  { id, accountId }: { id: number; accountId: number },
): Promise<WakeTarget[]> {
  const rows = await TOLD.select(
    db,
    `FROM webhook_subscriptions w
     WHERE account_id = ? AND store_site_id IS NOT NULL AND (license_id = ? OR license_id IS NULL) AND is_active`,
    [LICENSE_EVENT, accountId, id],
  );
  const event = { accountId, event: LICENSE_EVENT, payload: '{}' };
  const untold = rows.filter(({ waits }) => !waits);
  await insertDeliveries(
    db,
    untold.map(({ subscriptionId }) => ({ ...event, subscriptionId, eventId: uuidV7() })),
  );
  return rows.map(({ subscriptionId, licenseId }) => ({ kind: 'webhook', subscriptionId, licenseId }));
}
