import { findParcel } from '../db/queries/cancelling.js';
import { isFinal } from '../domain/statuses.js';
import { readStatuses } from './status-readings.js';

type Deps = Parameters<typeof readStatuses>[0];

/**
 * `answered`: the carrier spoke and the record is as new as that. `not_asked`: there was nothing to ask, since the
 * status is final or the carrier tells none when asked. `failed`: the stored status stands; `text` says why, null
 * where the carrier does not know the parcel or nothing can be said.
 */
export type RefreshOutcome =
  | { kind: 'answered' }
  | { kind: 'not_asked' }
  | { kind: 'failed'; text: string | null };

/** Asks the carrier for one shipment's status now; whatever goes wrong there leaves the stored status. */
export async function refreshStatus(
  deps: Deps & { onTrouble(error: unknown): void },
  request: { accountId: number; uuid: string; timeoutMs: number },
): Promise<RefreshOutcome> {
  const { accountId, uuid, timeoutMs } = request;
  const parcel = await findParcel(deps.db, { accountId, shipmentUuid: uuid });
  if (parcel === null || isFinal(parcel.status)) return { kind: 'not_asked' };
  if (deps.carriers(parcel.provider).status === undefined) return { kind: 'not_asked' };
  try {
    const { answered, failure, trouble } = await readStatuses(deps, {
      provider: parcel.provider,
      licenseId: parcel.licenseId,
      parcels: [{ ...parcel, uuid }],
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (trouble !== null) deps.onTrouble(trouble);
    return answered.has(parcel.id) ? { kind: 'answered' } : { kind: 'failed', text: failure };
  } catch (error) {
    deps.onTrouble(error);
    return { kind: 'failed', text: null };
  }
}
