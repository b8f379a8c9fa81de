import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { accounts, webhookSubscriptions } from '../../tables/index.js';

const w = webhookSubscriptions.as('w');
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
