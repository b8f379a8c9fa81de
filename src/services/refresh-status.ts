import { findParcel } from '../db/queries/cancelling.js';
import { isFinal } from '../domain/statuses.js';
import { readStatuses } from './status-readings.js';

type Deps = Parameters<typeof readStatuses>[0];

/** Asks the carrier for one shipment's status now; whatever goes wrong there leaves the stored status. */
export async function refreshStatus(
  deps: Deps & { onTrouble(error: unknown): void },
  request: { accountId: number; uuid: string; timeoutMs: number },
): Promise<void> {
  const { accountId, uuid, timeoutMs } = request;
  const parcel = await findParcel(deps.db, { accountId, shipmentUuid: uuid });
  if (parcel === null || isFinal(parcel.status)) return;
  try {
    await readStatuses(deps, {
      provider: parcel.provider,
      licenseId: parcel.licenseId,
      parcels: [{ ...parcel, uuid }],
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    deps.onTrouble(error);
  }
}
