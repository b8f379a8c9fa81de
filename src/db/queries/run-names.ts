import type { RunNames } from '../../domain/run-summary.js';
import type { Executor } from '../database.js';
import { text } from '../row.js';

/** The names of a license; null when there is no such license. */
export async function findRunNames(db: Executor, licenseId: number): Promise<RunNames | null> {
  const [row] = await db.select(
    `SELECT a.name AS merchant, r.name AS carrier
     FROM licenses l
     JOIN accounts a ON a.id = l.account_id
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     WHERE l.id = ?`,
    [licenseId],
  );
  return row === undefined ? null : { merchant: text(row, 'merchant'), carrier: text(row, 'carrier') };
}

/** Whose a webhook is, and its whole address, which may hold a secret; null when there is none. */
export async function findWebhookNames(
  db: Executor,
  subscriptionId: string,
): Promise<{ merchant: string; url: string } | null> {
  const [row] = await db.select(
    `SELECT a.name AS merchant, w.url
     FROM webhook_subscriptions w JOIN accounts a ON a.id = w.account_id WHERE w.id = ?`,
    [subscriptionId],
  );
  return row === undefined ? null : { merchant: text(row, 'merchant'), url: text(row, 'url') };
}
