import type { ApiClient } from '../../support/api-client.js';
import { broken, type Remembered } from '../../support/invariants.js';
import type { TestStack } from '../../support/stack.js';
import { ledgersOf, type Parcel } from './ledgers.js';
import { openWork } from './rest.js';

/** Outcomes of an item for which nobody but the carrier is to blame. */
const REFUSALS = new Set(['carrier_rejected', 'validation_failed']);

/** A run's remains, once nothing is under way: the service's rows, and what those outside it saw. */
export interface Evidence {
  stack: Pick<TestStack, 'db' | 'temporal' | 'sandboxes'>;
  client: ApiClient;
  /** Creations answered 201. */
  remembered: readonly Remembered[];
  /** Batches answered 202, and how many items each has. */
  batches: readonly { id: string; items: number }[];
  /** Shipments whose cancellation was answered 200. */
  cancelled: readonly string[];
  /** The subscription to the events of `run`. */
  webhookId: string;
  /** Ids of deliveries as the receiver was sent them, one entry a request. */
  sent: readonly string[];
  /** Message-ID of each mail that arrived. */
  mails: readonly string[];
}

/** Promises that do not hold; empty when all is well. */
export async function judge(evidence: Evidence): Promise<string[]> {
  const parcels = await ledgersOf(evidence.stack.sandboxes);
  const checks = await Promise.all([
    batchViolations(evidence),
    deliveryViolations(evidence),
    mailViolations(evidence),
    cancelViolations(evidence, parcels),
    historyViolations(evidence),
    labelViolations(evidence),
  ]);
  return [
    ...doubles(parcels),
    ...checks.flat(),
    ...(await openWork(evidence.stack)).map((what) => `not at rest: ${what}`),
    ...(await broken(evidence.stack, evidence.client, evidence.remembered)),
  ];
}

/** References that a carrier has more than one parcel of. */
export function doubles(parcels: readonly Parcel[]): string[] {
  const codes = new Map<string, string[]>();
  for (const { provider, reference, code } of parcels) {
    const key = `${provider} ${reference}`;
    codes.set(key, [...(codes.get(key) ?? []), code]);
  }
  return [...codes]
    .filter(([, booked]) => booked.length > 1)
    .map(([reference, booked]) => `booked twice: ${reference} as ${booked.join(', ')}`);
}

async function batchViolations({ stack, batches }: Evidence): Promise<string[]> {
  const found: string[] = [];
  for (const { id, items } of batches) {
    const rows = await stack.db.select(
      `SELECT i.status, i.shipment_uuid, i.error FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?`,
      [id],
    );
    const created = rows.filter((row) => row.status === 'created').map((row) => String(row.shipment_uuid));
    const failed = rows.filter((row) => row.status === 'failed').map((row) => JSON.parse(String(row.error)));
    if (rows.length !== items) found.push(`batch ${id} has ${rows.length} items`);
    if (new Set(created).size !== created.length) found.push(`batch ${id}: two items share a shipment`);
    for (const error of failed) {
      if (!REFUSALS.has(error.code)) found.push(`batch ${id}: an item failed with ${JSON.stringify(error)}`);
    }
  }
  return found;
}

/** Every event is delivered, under an id that no other has, and the records match what was sent. */
async function deliveryViolations({ stack: { db }, webhookId, sent }: Evidence): Promise<string[]> {
  const found: string[] = [];
  const untold = await db.select(
    `SELECT s.uuid, (SELECT COUNT(*) FROM webhook_deliveries d WHERE d.shipment_id = s.id
       AND d.subscription_id = ? AND d.event = 'shipment.created') AS told
     FROM shipments s JOIN carriers c ON c.id = s.carrier_id
     WHERE s.state = 'created' AND c.provider = 'run' HAVING told <> 1`,
    [webhookId],
  );
  for (const row of untold) found.push(`shipment ${row.uuid}: ${row.told} deliveries of its creation`);
  const shared = await db.select(
    `SELECT event_id FROM webhook_deliveries GROUP BY subscription_id, event_id HAVING COUNT(*) > 1`,
  );
  for (const row of shared) found.push(`two deliveries of event ${row.event_id}`);

  const requests = new Map<string, number>();
  for (const id of sent) requests.set(id, (requests.get(id) ?? 0) + 1);
  const rows = await db.select(
    `SELECT d.uuid, d.status, COUNT(a.number) AS noted, SUM(a.state = 'unknown') AS vague
     FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY d.uuid, d.status`,
  );
  for (const row of rows) {
    const onWire = requests.get(String(row.uuid)) ?? 0;
    const [noted, vague] = [Number(row.noted), Number(row.vague)];
    if (onWire > noted || onWire < noted - vague) {
      found.push(`delivery ${row.uuid}: ${onWire} requests, ${noted} attempts, ${vague} of them unknown`);
    }
    if (row.status === 'succeeded' && onWire === 0) found.push(`delivery ${row.uuid} never arrived`);
    if (row.status === 'failed' && noted < 6)
      found.push(`delivery ${row.uuid} failed after ${noted} attempts`);
    if (row.status === 'pending') found.push(`delivery ${row.uuid} is still to be sent`);
  }
  return found;
}

/** Each recipient and each finished export got a mail; a second copy has the same Message-ID. */
async function mailViolations({ stack: { db }, mails }: Evidence): Promise<string[]> {
  const [row] = await db.select(
    `SELECT (SELECT COUNT(*) FROM notification_logs WHERE status = 'sent')
          + (SELECT COUNT(*) FROM exports WHERE status = 'completed') AS wanted,
       (SELECT COUNT(*) FROM notification_logs WHERE status = 'failed') AS failed,
       (SELECT COUNT(*) FROM exports WHERE status = 'failed') AS exports`,
  );
  const arrived = new Set(mails).size;
  return [
    ...(Number(row?.failed) === 0 ? [] : [`${row?.failed} mails to recipients failed`]),
    ...(Number(row?.exports) === 0 ? [] : [`${row?.exports} exports failed`]),
    ...(arrived === Number(row?.wanted) ? [] : [`${arrived} mails, ${row?.wanted} wanted`]),
  ];
}

/** A parcel is cancelled at the carrier where it is here, and the other way round unless a person is asked. */
async function cancelViolations(
  { stack, cancelled }: Evidence,
  parcels: readonly Parcel[],
): Promise<string[]> {
  const rows = await stack.db.select(
    `SELECT uuid, tracking_code, status_code FROM shipments WHERE state = 'created'`,
  );
  const statuses = new Map(rows.map((row) => [String(row.tracking_code), String(row.status_code)]));
  const gone = new Set(rows.filter((row) => row.status_code === 'cancelled').map((row) => String(row.uuid)));
  const both = parcels.map(({ code, status }) => ({ code, here: statuses.get(code), there: status }));
  return [
    ...cancelled.filter((uuid) => !gone.has(uuid)).map((uuid) => `told of as cancelled, and is not: ${uuid}`),
    ...both
      .filter(({ here, there }) => here === 'cancelled' && there !== 'cancelled')
      .map(({ code }) => `cancelled here and live at the carrier: ${code}`),
    ...both
      .filter(({ here, there }) => here === 'created' && there === 'cancelled')
      .map(({ code }) => `cancelled at the carrier and live here: ${code}`),
  ];
}

/** Nothing follows a final status, and a shipment has the status of its newest event. */
async function historyViolations({ stack: { db } }: Evidence): Promise<string[]> {
  const rows = await db.select(
    `SELECT s.uuid, s.status_code, GROUP_CONCAT(e.code ORDER BY e.id) AS codes
     FROM shipments s JOIN shipment_events e ON e.shipment_id = s.id WHERE s.state = 'created' GROUP BY s.id, s.uuid, s.status_code`,
  );
  return rows.flatMap((row) => {
    const codes = String(row.codes).split(',');
    const ended = codes.indexOf('cancelled');
    return [
      ...(ended >= 0 && ended < codes.length - 1 ? [`${row.uuid} went on after its end: ${row.codes}`] : []),
      ...(codes.at(-1) === row.status_code ? [] : [`${row.uuid} is ${row.status_code} after ${row.codes}`]),
    ];
  });
}

/** With everything well again, a label is to be had. */
async function labelViolations({ stack: { db }, client }: Evidence): Promise<string[]> {
  const [row] = await db.select(
    `SELECT uuid FROM shipments WHERE state = 'created' AND status_code = 'created' LIMIT 1`,
  );
  if (row === undefined) return ['nothing was created'];
  const answer = await client.get(`/shipments/${row.uuid}/label`);
  return answer.status === 200 ? [] : [`label at the end: ${answer.status} ${answer.text}`];
}
