import type { Executor } from '../database.js';
import { type Selected, shape } from '../selection.js';
import { placeholders } from '../sql.js';
import { batches, shipments } from '../tables/index.js';

const s = shipments.as('s');
const SHIPMENT = shape({ uuid: s.uuid, state: s.state, status: s.statusCode });

/** How the shipments with these uuids stand, by uuid; those that the database does not know are missing. */
export async function findKnownShipments(
  db: Executor,
  uuids: readonly string[],
): Promise<Map<string, Selected<typeof SHIPMENT>>> {
  if (uuids.length === 0) return new Map();
  const tail = `FROM shipments s WHERE ${s.uuid} IN (${placeholders(uuids.length)})`;
  return new Map((await SHIPMENT.select(db, tail, [...uuids])).map((one) => [one.uuid, one]));
}

const b = batches.as('b');

/** Those of these uuids that are batches. */
export async function findKnownBatches(db: Executor, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set();
  const tail = `FROM batches b WHERE ${b.uuid} IN (${placeholders(uuids.length)})`;
  return new Set(await b.uuid.select(db, tail, [...uuids]));
}
