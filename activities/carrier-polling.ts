import { cancellationSignal, heartbeat, log } from '@temporalio/activity';
import type { PollCarrierInput, PollPageResult } from '../src/contracts/poll-carrier.js';
import { isUnavailable } from '../src/db/database.js';
import { type DueShipment, listDueShipments, postponePolls } from '../src/db/queries/polling.js';
import { type ReadingResult, readStatuses } from '../src/services/status-readings.js';
import type { CarrierDeps } from './carrier-deps.js';

const PAGE = 100;
/** A carrier that did not answer is asked again after this, so that one outage does not become a storm. */
const AFTER_FAILURE_SECONDS = 300;
/** What only a person can put right is not looked at all the time. */
const AFTER_TROUBLE_SECONDS = 3600;

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
      const read = await readOrPostpone(deps, { ...input, licenseId, parcels });
      if (read === null) continue;
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

/** Null where the license's parcels could not be asked about at all: they come again much later, the others go on. */
async function readOrPostpone(
  deps: CarrierDeps,
  asked: PollCarrierInput & { licenseId: number; parcels: readonly DueShipment[] },
): Promise<ReadingResult | null> {
  try {
    return await readStatuses(deps, { ...asked, signal: cancellationSignal() });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const { licenseId, provider, parcels } = asked;
    log.error('the parcels of a license cannot be asked about', {
      licenseId,
      provider,
      error: error instanceof Error ? error.name : 'unknown',
    });
    const ids = parcels.map((parcel) => parcel.id);
    await postponePolls(deps.db, { ids, seconds: AFTER_TROUBLE_SECONDS });
    return null;
  }
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
