import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { PollCarrierInput, PollPageResult } from '../src/contracts/poll-carrier.js';
import { type DueShipment, listDueShipments, postponePolls } from '../src/db/queries/polling.js';
import { readStatuses } from '../src/services/status-readings.js';
import type { CarrierDeps } from './carrier-deps.js';

const PAGE = 100;
/** A carrier that did not answer is asked again after this, so that one outage does not become a storm. */
const AFTER_FAILURE_SECONDS = 300;

/**
 * Asks a carrier for the parcels that are due, licence by licence with that licence's credentials, and records
 * what changed. Every parcel of the page gets its next time, whatever the carrier said, so no page comes twice.
 */
export function createPollActivity(deps: CarrierDeps) {
  return async function pollPage(input: PollCarrierInput): Promise<PollPageResult> {
    const adapter = deps.carriers(input.provider);
    const result = { checked: 0, changed: 0, more: false };
    if (adapter.status === undefined) return result;
    const due = await listDueShipments(deps.db, { provider: input.provider, limit: PAGE });
    for (const [licenseId, parcels] of byLicense(due)) {
      heartbeat({ licenseId });
      const read = await readStatuses(deps, {
        provider: input.provider,
        licenseId,
        parcels,
        signal: cancellationSignal(),
      });
      const unanswered = parcels.filter((parcel) => !read.answered.has(parcel.id));
      await postponePolls(deps.db, {
        ids: unanswered.map((parcel) => parcel.id),
        seconds: AFTER_FAILURE_SECONDS,
      });
      result.checked += read.answered.size;
      result.changed += read.changed;
    }
    return { ...result, more: due.length === PAGE };
  };
}

function byLicense(due: readonly DueShipment[]): Map<number, DueShipment[]> {
  const groups = new Map<number, DueShipment[]>();
  for (const shipment of due) {
    const group = groups.get(shipment.licenseId);
    if (group === undefined) groups.set(shipment.licenseId, [shipment]);
    else group.push(shipment);
  }
  return groups;
}
