import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, webhookSubscriptions } from '../../tables/index.js';
import { allOf } from '../keyset.js';
import { TARGET } from './webhooks.js';

const w = webhookSubscriptions.as('w');
const waiting = (status: string) =>
  expression(
    `(SELECT COUNT(*) FROM webhook_deliveries d WHERE d.subscription_id = w.id AND d.status = '${status}')`,
    int,
  );
const ENDPOINT = {
  ...TARGET,
  disabledReason: w.disabledReason,
  createdAt: w.createdAt,
};
const ALONE = shape(ENDPOINT);
const COUNTED = shape({ ...ENDPOINT, pending: waiting('pending'), failed: waiting('failed') });

/** A merchant's endpoint as the operator sees it. Times: ISO 8601 UTC. */
export type Endpoint = Selected<typeof ALONE>;

/** The endpoints of an account or license, or of all; `failing`: those that only fail, or turned themselves off. */
export async function listEndpoints(
  db: Executor,
  filter: { accountId?: number | undefined; licenseId?: number | undefined; failing?: boolean },
): Promise<Endpoint[]> {
  const { sql, params } = allOf([
    ['w.deleted_at IS NULL'],
    ['w.account_id = ?', filter.accountId],
    ['w.license_id = ?', filter.licenseId],
    [filter.failing ? '(w.failing_since IS NOT NULL OR w.disabled_reason IS NOT NULL)' : 'TRUE'],
  ]);
  return await ALONE.select(
    db,
    `FROM webhook_subscriptions w WHERE ${sql} ORDER BY w.created_at DESC LIMIT 1000`,
    params,
  );
}

/** One endpoint, with its deliveries that wait and that failed; null when there is none. */
export async function findEndpoint(db: Executor, id: string): Promise<Selected<typeof COUNTED> | null> {
  return await COUNTED.first(db, 'FROM webhook_subscriptions w WHERE w.id = ? AND w.deleted_at IS NULL', [
    id,
  ]);
}

const FAILING = shape({
  accountId: w.accountId,
  account: accounts.as('a').name,
  url: w.url,
  since: w.failingSince,
});

/** Active webhooks that only fail, of all accounts, the longest first. */
export async function listFailingWebhooks(db: Executor, limit: number): Promise<Selected<typeof FAILING>[]> {
  return await FAILING.select(
    db,
    `FROM webhook_subscriptions w JOIN accounts a ON a.id = w.account_id
     WHERE w.failing_since IS NOT NULL AND w.is_active AND w.deleted_at IS NULL
     ORDER BY w.failing_since LIMIT ${limit}`,
  );
}
