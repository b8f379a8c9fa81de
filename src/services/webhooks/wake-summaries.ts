import { LRUCache } from 'lru-cache';
import type { WakeTarget } from '../../contracts/wake.js';
import type { Executor } from '../../db/database.js';
import { findRunNames, findWebhookNames } from '../../db/queries/shipments/run-names.js';
import { hostOf } from '../../domain/webhook-host.js';

const SUMMARY_KEPT_MS = 60_000;

/** The summary of a target's run: merchant, and host or carrier. Cached for a minute; null when unknown. */
export function createWakeSummaries(db: Executor): (target: WakeTarget) => Promise<string | null> {
  const known = new LRUCache<string, string, { target: WakeTarget }>({
    max: 10_000,
    ttl: SUMMARY_KEPT_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _old, { context }) =>
      (await summaryOf(db, context.target).catch(() => null)) ?? undefined,
  });
  return async (target) => {
    const key = target.kind === 'webhook' ? target.subscriptionId : `${target.kind}/${target.licenseId}`;
    return (await known.fetch(key, { context: { target } })) ?? null;
  };
}

async function summaryOf(db: Executor, target: WakeTarget): Promise<string | null> {
  if (target.kind === 'webhook') {
    const webhook = await findWebhookNames(db, target.subscriptionId);
    return webhook && `Deliver events of ${webhook.merchant} to ${hostOf(webhook.url)}`;
  }
  const names = await findRunNames(db, target.licenseId);
  if (names === null) return null;
  const { merchant, carrier } = names;
  return target.kind === 'mail'
    ? `Mail the recipients of ${merchant}, parcels with ${carrier}`
    : `Apply what ${carrier} tells of parcels of ${merchant}`;
}
