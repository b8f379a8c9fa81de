import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../src/db/database.js';
import { migrateDatabase } from '../../src/db/migrate.js';
import { migrations } from '../../src/db/migrations/index.js';
import { findLicenseByKey } from '../../src/db/queries/accounts/keyed-licenses.js';
import { insertPanelUser, lockEnrolled, updatePanelUser } from '../../src/db/queries/accounts/panel-users.js';
import { beginAttempt } from '../../src/db/queries/creation/attempts.js';
import { reserveShipment } from '../../src/db/queries/creation/creation.js';
import { CodeTaken, recordBooking } from '../../src/db/queries/creation/recording.js';
import { releaseShipment } from '../../src/db/queries/creation/refusals.js';
import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import { randomCrockford, uuidV7 } from '../../src/lib/ids.js';
import { nowIso } from '../../src/lib/time.js';
import { newCreation } from '../../src/services/creation/create-shipment.js';
import { insertTestLicense, insertTestOrder, type TestLicense, uniqueText } from '../support/factories.js';
import { plainOrder, plainShipment } from '../support/shipments.js';

/** A database as two nodes of a cluster show it. */
export interface TwoNodes {
  one: Database;
  other: Database;
  /** Addresses of an empty database at each. */
  emptyUrls: readonly [string, string];
}

/** How often two who may not both succeed are let loose; each rule is broken in a part of the rounds only. */
const ROUNDS = 60;

/**
 * Tries what two nodes must not both allow, and what must be seen at the other node at once; returns the broken rules
 * by name.
 */
export async function brokenRules(nodes: TwoNodes): Promise<string[]> {
  const license = await insertTestLicense(nodes.one, { multipleShipment: false });
  const rules: Record<string, (nodes: TwoNodes, license: TestLicense) => Promise<string | null>> = {
    'one live parcel of an order': oneOfOrder,
    'one holder of a tracking code': oneHolder,
    'what is freed is not sent': freedOrSent,
    'webhooks of a license': lastWebhook,
    'an administrator stays': administratorStays,
    'what was written is read at the other node': readAfterWrite,
  };
  const broken: string[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const what = await rule(nodes, license);
      if (what === null) continue;
      broken.push(`${name}, round ${round}: ${what}`);
      break;
    }
  }
  return [...broken, ...(await migrateTogether(nodes))];
}

async function reserve(db: Database, license: TestLicense, orderId: string) {
  const keyed = await findLicenseByKey(db, license.key);
  if (keyed === null) throw new Error('the license is missing');
  const order = plainOrder({ id: orderId });
  const hash = randomBytes(32).toString('hex');
  const idempotency = { api: 'v2', keyHash: hash, fingerprint: hash, keepForSeconds: 60 } as const;
  const creation = newCreation(keyed, {
    accountId: license.accountId,
    idempotency,
    details: plainShipment(),
    order,
  });
  const shortTrackingCode = randomCrockford(10);
  const fresh = { uuid: uuidV7(), shortTrackingCode, workflowId: uniqueText('run'), createdAt: nowIso() };
  return await reserveShipment(db, { creation, order }, fresh);
}

async function oneOfOrder({ one, other }: TwoNodes, license: TestLicense): Promise<string | null> {
  const { orderId } = await insertTestOrder(one, license);
  const kinds = (await Promise.all([one, other].map((db) => reserve(db, license, orderId)))).map(
    ({ kind }) => kind,
  );
  return kinds.toSorted().join() === 'duplicate_order,reserved' ? null : kinds.join();
}

async function oneHolder({ one, other }: TwoNodes, license: TestLicense): Promise<string | null> {
  const trackingCode = uniqueText('C');
  const record = async (db: Database) => {
    const reserved = await reserve(db, license, uniqueText('order'));
    if (reserved.kind !== 'reserved') throw new Error(reserved.kind);
    const { shipment } = reserved;
    const status = { ...shipment.status, code: 'created' } as const;
    const answer = { shipmentUuid: shipment.uuid, fingerprint: '00'.repeat(32), status: 201, body: '{}' };
    const parcel = { trackingCode, carrierReference: null };
    const of = { shipment: { ...shipment, status }, parcel, answer, attempt: 1 };
    return () => recordBooking(db, { ...of, nextPollAt: null, keepForSeconds: 60 });
  };
  const records = [await record(one), await record(other)];
  const ends = await Promise.allSettled(records.map((write) => write()));
  const wrong = ends.filter((end) => end.status === 'rejected' && !(end.reason instanceof CodeTaken));
  const kept = ends.filter(({ status }) => status === 'fulfilled');
  return kept.length === 1 && wrong.length === 0 ? null : `${kept.length} kept it; ${JSON.stringify(wrong)}`;
}

async function freedOrSent({ one, other }: TwoNodes, license: TestLicense): Promise<string | null> {
  const reserved = await reserve(one, license, uniqueText('order'));
  if (reserved.kind !== 'reserved') return reserved.kind;
  const { uuid } = reserved.shipment;
  const [isSent] = await Promise.all([
    beginAttempt(one, { uuid, number: 1 }),
    releaseShipment(other, { uuid, code: 'given_up', reason: 'for a test' }),
  ]);
  const [ended] = await other.select(
    `SELECT (SELECT COUNT(*) FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.state = 'sending') AS sending
     FROM shipments s WHERE s.uuid = ? AND s.state = 'refused'`,
    [uuid],
  );
  // Sent first: the refusal has ended the attempt that it saw.
  return isSent && Number(ended?.sending) > 0 ? 'marked as being sent and freed at the same time' : null;
}

async function lastWebhook({ one, other }: TwoNodes, license: TestLicense): Promise<string | null> {
  const { accountId, licenseId } = license;
  const count = async () => {
    const [row] = await one.select('SELECT COUNT(*) AS n FROM webhook_subscriptions WHERE license_id = ?', [
      licenseId,
    ]);
    return Number(row?.n);
  };
  const limit = (await count()) + 1;
  await Promise.all(
    [one, other].map((db) =>
      insertWebhook(
        db,
        { accountId, licenseId, id: uuidV7() },
        { url: 'https://example.test/', events: ['shipment.created'], secret: Buffer.alloc(32), limit },
      ),
    ),
  );
  const found = await count();
  return found === limit ? null : `${found} of at most ${limit}`;
}

async function administratorStays({ one, other }: TwoNodes): Promise<string | null> {
  await one.run('DELETE FROM panel_users');
  const role = 'administrator';
  const add = () => insertPanelUser(one, { accountId: null, email: uniqueText('a'), name: 'A', role });
  const ids = [await add(), await add()];
  const turnOff = (db: Database, id: number) =>
    db.transaction(async (tx) => {
      const enrolled = await lockEnrolled(tx, { role, accountId: null });
      if (enrolled.length > 1) await updatePanelUser(tx, id, { isActive: false });
    });
  await Promise.all([one, other].map((db, index) => turnOff(db, ids[index] ?? 0)));
  const [row] = await one.select('SELECT COUNT(*) AS n FROM panel_users WHERE is_active');
  return Number(row?.n) === 1 ? null : `${row?.n} are left`;
}

async function readAfterWrite({ one, other }: TwoNodes, license: TestLicense): Promise<string | null> {
  const { id } = await insertTestOrder(one, license);
  const [row] = await other.select('SELECT id FROM orders WHERE id = ?', [id]);
  return row === undefined ? 'not there' : null;
}

async function migrateTogether({ emptyUrls }: TwoNodes): Promise<string[]> {
  const dbs = emptyUrls.map((url) => openDatabase({ url, poolSize: 2, statementTimeoutMs: 0 }));
  try {
    const done = await Promise.allSettled(dbs.map((db) => migrateDatabase(db)));
    const names = done.flatMap((one) => (one.status === 'fulfilled' ? one.value : [String(one.reason)]));
    const isRight = names.join() === migrations.map(({ name }) => name).join();
    return isRight ? [] : [`two migrate at once: ${names.join('; ')}`];
  } finally {
    await Promise.all(dbs.map((db) => db.close()));
  }
}
