import { LRUCache } from 'lru-cache';
import { findParcel } from '../db/queries/cancelling.js';
import { isFinal } from '../domain/statuses.js';
import { Rate } from '../lib/limits/rate.js';
import type { CarrierShares } from './carrier-shares.js';
import { readStatuses } from './status-readings.js';

type Deps = Parameters<typeof readStatuses>[0] & { shares: CarrierShares; onTrouble(error: unknown): void };
type Parcel = NonNullable<Awaited<ReturnType<typeof findParcel>>>;

/**
 * `answered`: the carrier spoke and the record is as new as that. `not_asked`: there was nothing to ask, since the
 * status is final or the carrier tells none when asked. `failed`: the stored status stands; `text` says why, null
 * where the carrier does not know the parcel or nothing can be said.
 */
export type RefreshOutcome =
  | { kind: 'answered' }
  | { kind: 'not_asked' }
  | { kind: 'failed'; text: string | null };

/** Which shipment, and how long to wait for its carrier. */
export interface RefreshRequest {
  accountId: number;
  uuid: string;
  timeoutMs: number;
}

/** How often a carrier is asked about one shipment: some times at once, then every half minute. */
const OF_SHIPMENT = { perSecond: 1 / 30, burst: 10 };
/** The part of the time that a request may wait for its turn with the carrier; the rest is for the answer. */
const WAIT_PART = 0.3;
/** What came of the last question about a shipment is said again for as long as its turns count. */
const SHIPMENTS = { max: 10_000, ttl: (1000 * OF_SHIPMENT.burst) / OF_SHIPMENT.perSecond };

/** What is known of one shipment's refreshing. */
interface Asked {
  running: Promise<RefreshOutcome> | null;
  last: RefreshOutcome;
}

/**
 * Asks carriers for single statuses now; whatever goes wrong there leaves the stored status. Callers who ask about one
 * shipment at the same time share the answer, and who asks again and again gets the last one. A carrier, and a license
 * of it, is not asked more often than its share allows: the stored status stands then.
 */
export function createRefreshStatus(deps: Deps): (request: RefreshRequest) => Promise<RefreshOutcome> {
  const shipments = new LRUCache<string, Asked>(SHIPMENTS);
  const rate = new Rate(OF_SHIPMENT);
  const ask = async (key: string, request: RefreshRequest, asked: Asked): Promise<RefreshOutcome> => {
    const { accountId, uuid } = request;
    const parcel = await findParcel(deps.db, { accountId, shipmentUuid: uuid });
    if (parcel === null || isFinal(parcel.status)) return { kind: 'not_asked' };
    if (deps.carriers(parcel.provider).status === undefined) return { kind: 'not_asked' };
    if (rate.take(key) === null) return asked.last;
    const until = performance.now() + request.timeoutMs;
    const hasTurn = await deps.shares.take(parcel, request.timeoutMs * WAIT_PART);
    if (!hasTurn) return { kind: 'failed', text: null };
    asked.last = await askCarrier(deps, parcel, { ...request, timeoutMs: until - performance.now() });
    return asked.last;
  };

  return async (request) => {
    const key = `${request.accountId}/${request.uuid}`;
    const asked = shipments.get(key) ?? neverAsked();
    shipments.set(key, asked);
    asked.running ??= ask(key, request, asked).finally(() => {
      asked.running = null;
    });
    return await asked.running;
  };
}

function neverAsked(): Asked {
  return { running: null, last: { kind: 'failed', text: null } };
}

async function askCarrier(deps: Deps, parcel: Parcel, request: RefreshRequest): Promise<RefreshOutcome> {
  try {
    const { answered, failure, trouble } = await readStatuses(deps, {
      provider: parcel.provider,
      licenseId: parcel.licenseId,
      parcels: [{ ...parcel, uuid: request.uuid }],
      signal: AbortSignal.timeout(Math.max(0, Math.round(request.timeoutMs))),
    });
    if (trouble !== null) deps.onTrouble(trouble);
    return answered.has(parcel.id) ? { kind: 'answered' } : { kind: 'failed', text: failure };
  } catch (error) {
    deps.onTrouble(error);
    return { kind: 'failed', text: null };
  }
}
