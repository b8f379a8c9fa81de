import { LRUCache } from 'lru-cache';
import { findParcel } from '../../db/queries/creation/cancelling.js';
import { isFinal } from '../../domain/statuses.js';
import { Rate } from '../../lib/limits/rate.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { App } from '../app.js';
import { type ReadingApp, readStatuses } from './status-readings.js';

const TURN_SHARE = 0.3;

type RefreshApp = ReadingApp &
  Pick<App, 'shares' | 'onTrouble'> & { refreshes: ReturnType<typeof createRefreshes> };
type Parcel = NonNullable<Awaited<ReturnType<typeof findParcel>>>;

/**
 * `answered`: the stored status is the carrier's current one. `not_asked`: the status is final, or the carrier
 * has no status requests. `failed`: the stored status stays; `text` is the reason, null when the carrier does
 * not know the parcel or there is none.
 */
type RefreshOutcome = { kind: 'answered' } | { kind: 'not_asked' } | { kind: 'failed'; text: string | null };

/** `timeoutMs`: limit for the carrier's answer. */
interface RefreshRequest {
  accountId: number;
  uuid: string;
  timeoutMs: number;
}

/** State of one shipment's refreshing. */
interface Asked {
  running: Promise<RefreshOutcome> | null;
  last: RefreshOutcome;
}

const { asksOfShipment, askAgainMs, askedKept } = LIMITS.carriers;
/** Recent questions. The last outcome of a shipment is repeated for as long as its questions count. */
export function createRefreshes() {
  return {
    shipments: new LRUCache<string, Asked>({ max: askedKept, ttl: asksOfShipment * askAgainMs }),
    rate: new Rate({ perSecond: 1000 / askAgainMs, burst: asksOfShipment }),
  };
}

/**
 * Asks the carrier for a shipment's status; any failure leaves the stored one. Concurrent callers share the
 * answer, and frequent callers get the last one. The request limits of carrier and license apply.
 */
export async function refreshStatus(app: RefreshApp, request: RefreshRequest): Promise<RefreshOutcome> {
  const { shipments } = app.refreshes;
  const key = `${request.accountId}/${request.uuid}`;
  const asked: Asked = shipments.get(key) ?? { running: null, last: { kind: 'failed', text: null } };
  shipments.set(key, asked);
  asked.running ??= ask(app, key, request, asked).finally(() => {
    asked.running = null;
  });
  return await asked.running;
}

async function ask(
  app: RefreshApp,
  key: string,
  request: RefreshRequest,
  asked: Asked,
): Promise<RefreshOutcome> {
  const { accountId, uuid } = request;
  const parcel = await findParcel(app.db, { accountId, shipmentUuid: uuid });
  if (parcel === null || isFinal(parcel.status)) return { kind: 'not_asked' };
  if (app.carriers(parcel.provider).status === undefined) return { kind: 'not_asked' };
  if (app.refreshes.rate.take(key) === null) return asked.last;
  const until = performance.now() + request.timeoutMs;
  const hasTurn = await app.shares.take(parcel, request.timeoutMs * TURN_SHARE);
  if (!hasTurn) return { kind: 'failed', text: null };
  asked.last = await askCarrier(app, parcel, { ...request, timeoutMs: until - performance.now() });
  return asked.last;
}

async function askCarrier(app: RefreshApp, parcel: Parcel, request: RefreshRequest): Promise<RefreshOutcome> {
  try {
    const { answered, failure, trouble } = await readStatuses(app, {
      provider: parcel.provider,
      licenseId: parcel.licenseId,
      parcels: [{ ...parcel, uuid: request.uuid }],
      signal: AbortSignal.timeout(Math.max(0, Math.round(request.timeoutMs))),
    });
    if (trouble !== null) app.onTrouble(trouble);
    return answered.has(parcel.id) ? { kind: 'answered' } : { kind: 'failed', text: failure };
  } catch (error) {
    app.onTrouble(error);
    return { kind: 'failed', text: null };
  }
}
