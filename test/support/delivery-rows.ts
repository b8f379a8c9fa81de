import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.js';
import { claimDue } from '../../src/db/queries/webhooks/delivery-claims.js';
import { recordEvents } from '../../src/db/queries/webhooks/events.js';
import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import {
  insertTestAccount,
  insertTestLicense,
  insertTestShipment,
  TEST_APP_KEYS,
  type TestLicense,
} from './factories.js';

/** A failed attempt to be retried. */
export const FAILED = {
  succeeded: false,
  final: false,
  durationMs: 1,
  status: 500,
  body: 'no',
  error: 'no',
  retrySeconds: 30,
};

/** A webhook of the license without any sender. */
export async function insertSubscription(db: Database, { accountId, licenseId }: TestLicense) {
  const key = { accountId, licenseId, id: randomUUID() };
  await insertWebhook(db, key, {
    url: 'https://a.test/',
    events: ['shipment.created', 'shipment.delivered'],
    secret: TEST_APP_KEYS.seal('webhook secret', 'whsec_1'),
    limit: 100,
  });
  return key;
}

/** Records `count` created shipments for a new license's webhook. */
export async function withDeliveries(db: Database, count: number) {
  const license = await insertTestLicense(db, await insertTestAccount(db));
  const key = await insertSubscription(db, license);
  for (let made = 0; made < count; made += 1)
    await recordCreated(db, license, (await insertTestShipment(db, license)).id);
  return { license, key };
}

/** Records another `shipment.created` of the shipment. */
export async function recordCreated(db: Database, license: TestLicense, shipmentId: number): Promise<void> {
  const { accountId, licenseId } = license;
  const events = [{ event: 'shipment.created' as const, fields: {} }];
  await db.transaction((tx) => recordEvents(tx, { accountId, licenseId, shipmentId, events }));
}

/** Claims the webhook's due deliveries. */
export function claim(db: Database, key: { id: string }, limit = 10, busy: readonly number[] = []) {
  return claimDue(db, { subscriptionId: key.id, limit, busyShipments: new Set(busy) });
}
