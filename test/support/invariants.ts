import type { ApiClient } from './api-client.js';
import { eventually } from './conditions.js';
import type { SandboxClient } from './sandbox-client.js';
import type { TestStack } from './stack.js';

/** A creation answered with 201, to be repeated. */
export interface Remembered {
  key: string;
  body: unknown;
  status: number;
  text: string;
}

const SETTLE_TIMEOUT_MS = 90_000;
const REPLAYS_AT_ONCE = 8;

type Stores = Pick<TestStack, 'db' | 'temporal' | 'sandboxes'>;

/**
 * Waits until nothing is running, then returns the broken invariants. The stack's sandbox must have had no
 * other bookings.
 */
export async function violations(
  stack: Stores,
  client: ApiClient,
  remembered: readonly Remembered[],
): Promise<string[]> {
  await settled(stack);
  return await broken(stack, client, remembered);
}

/** The broken invariants of a system at rest. */
export async function broken(
  stack: Stores,
  client: ApiClient,
  remembered: readonly Remembered[],
): Promise<string[]> {
  const found = [
    ...(await ledgerViolations(stack)),
    ...(await rowViolations(stack)),
    ...(await countViolations(stack)),
    ...(await replayViolations(client, remembered)),
  ];
  const uuids = remembered.map(({ text }) => JSON.parse(text).data.uuid);
  if (new Set(uuids).size !== uuids.length) found.push('two keys share a shipment');
  return found;
}

/** Waits until no reservation, unanswered key or open run is left. */
async function settled(stack: Stores): Promise<void> {
  await eventually(
    async () => {
      try {
        const [row] = await stack.db.select(
          `SELECT (SELECT COUNT(*) FROM shipments WHERE state = 'reserved')
                + (SELECT COUNT(*) FROM idempotency_keys WHERE response_status IS NULL) AS open`,
        );
        const { count } = await stack.temporal.workflow.count(
          `WorkflowType = 'createShipment' AND ExecutionStatus = 'Running'`,
        );
        return Number(row?.open) === 0 && count === 0;
      } catch {
        // Connections may still be to the killed engine.
        return false;
      }
    },
    'the end of every reservation, key and run',
    SETTLE_TIMEOUT_MS,
  );
}

async function ledgerViolations(stack: Stores): Promise<string[]> {
  const ofAll = [...stack.sandboxes].map(([provider, sandbox]) => ledgerOf(stack, provider, sandbox));
  return (await Promise.all(ofAll)).flat();
}

async function ledgerOf(stack: Stores, provider: string, sandbox: SandboxClient): Promise<string[]> {
  const rows = await stack.db.select(
    `SELECT s.uuid, s.tracking_code FROM shipments s JOIN carriers c ON c.id = s.carrier_id
     WHERE s.state = 'created' AND c.provider = ?`,
    [provider],
  );
  const shipments = rows.map((row) => `${row.uuid} ${row.tracking_code}`).sort();
  const parcels = (await sandbox.ledger()).map((one) => `${one.reference} ${one.code}`).sort();
  const known = new Set(shipments);
  const booked = new Set(parcels);
  return [
    ...parcels.filter((one) => !known.has(one)).map((one) => `parcel without shipment: ${one}`),
    ...shipments.filter((one) => !booked.has(one)).map((one) => `shipment without parcel: ${one}`),
    ...(parcels.length === shipments.length
      ? []
      : [`${provider}: ${parcels.length} parcels, ${shipments.length} shipments`]),
  ];
}

async function rowViolations(stack: Stores): Promise<string[]> {
  const checks = {
    'shipment without history': `SELECT s.uuid FROM shipments s WHERE s.state = 'created'
       AND NOT EXISTS (SELECT 1 FROM shipment_events e WHERE e.shipment_id = s.id)`,
    'shipment whose accepted attempts are not one': `SELECT s.uuid FROM shipments s JOIN carriers c ON c.id = s.carrier_id
       WHERE s.state = 'created' AND c.provider <> 'independent' AND 1 <> (SELECT COUNT(*) FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.state = 'accepted')`,
    'finished shipment with an attempt under way': `SELECT s.uuid FROM shipments s
       JOIN carrier_attempts a ON a.shipment_uuid = s.uuid WHERE s.state <> 'reserved' AND a.state = 'sending'`,
    'created shipment without tracking code': `SELECT uuid FROM shipments WHERE state = 'created' AND tracking_code IS NULL`,
    'shipment of no key': `SELECT s.uuid FROM shipments s WHERE s.state = 'created'
       AND NOT EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.shipment_uuid = s.uuid)`,
  };
  const found: string[] = [];
  for (const [what, sql] of Object.entries(checks)) {
    for (const row of await stack.db.select(sql)) found.push(`${what}: ${row.uuid}`);
  }
  return found;
}

/** Kinds whose counts of shipments are wrong. */
async function countViolations(stack: Stores): Promise<string[]> {
  const rows = await stack.db.select(
    `SELECT license_id, status_code, service_type, SUM(counted) AS counted, SUM(found) AS found FROM (
       SELECT license_id, status_code, service_type, total AS counted, 0 AS found FROM shipment_counts
       UNION ALL
       SELECT license_id, status_code, service_type, 0, 1 FROM shipments WHERE state = 'created'
     ) both_sides
     GROUP BY license_id, status_code, service_type HAVING SUM(counted) <> SUM(found)`,
  );
  return rows.map((row) => `shipments counted wrongly: ${JSON.stringify(row)}`);
}

async function replayViolations(client: ApiClient, remembered: readonly Remembered[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...remembered];
  const replay = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const again = await client.create(one.body, one.key);
      if (again.status !== one.status) found.push(`key ${one.key}: ${one.status}, then ${again.status}`);
      else if (again.text !== one.text) found.push(`key ${one.key}: other bytes`);
      if (again.headers.get('idempotent-replayed') !== 'true') found.push(`key ${one.key}: not a replay`);
    }
  };
  await Promise.all(Array.from({ length: REPLAYS_AT_ONCE }, replay));
  return found;
}
