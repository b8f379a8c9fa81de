import type { RunNames } from '../../../domain/run-summary.js';
import type { Executor } from '../../database.js';
import { shape } from '../../selection.js';
import { accounts, carriers, webhookSubscriptions } from '../../tables/index.js';

const a = accounts.as('a');

/** The names of a license; null when there is no such license. */
export async function findRunNames(db: Executor, licenseId: number): Promise<RunNames | null> {
  return await shape({ merchant: a.name, carrier: carriers.as('r').name }).first(
    db,
    `FROM licenses l
     JOIN accounts a ON a.id = l.account_id
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     WHERE l.id = ?`,
    [licenseId],
  );
}

/** A webhook's owner and its whole address, which may hold a secret; null when there is none. */
export async function findWebhookNames(
  db: Executor,
  subscriptionId: string,
): Promise<{ merchant: string; url: string } | null> {
  return await shape({ merchant: a.name, url: webhookSubscriptions.as('w').url }).first(
    db,
    'FROM webhook_subscriptions w JOIN accounts a ON a.id = w.account_id WHERE w.id = ?',
    [subscriptionId],
  );
}
