import { setMaxListeners } from 'node:events';
import { cancellationSignal, log } from '@temporalio/activity';
import type { CarrierAdapter } from '../src/carriers/contract.js';
import type { PollCarrierInput, PollPageResult } from '../src/contracts/poll-carrier.js';
import { isUnavailable } from '../src/db/database.js';
import {
  type DueShipment,
  listDueShipments,
  postponeLicensePolls,
  postponePolls,
  postponeUntold,
} from '../src/db/queries/polling.js';
import { createLimit, type Limit } from '../src/lib/limits/in-turns.js';
import { Rate } from '../src/lib/limits/rate.js';
import { type ReadingResult, readStatuses } from '../src/services/status-readings.js';
import type { CarrierApp } from './carrier-places.js';
import { withHeartbeat } from './heartbeat.js';

const PAGE = 100;
/** Calls of one license under way at once: the rest of the places is for the others. */
const LANES = 4;
/** A carrier that did not answer is asked again after this, so that one outage does not become a storm. */
const AFTER_FAILURE_SECONDS = 300;
/** Longer, so that a parcel that nobody can tell about never goes before the others of its license again. */
const AFTER_OWN_FAILURE_SECONDS = 900;
/** What only a person can put right is not looked at all the time, and a carrier is not obeyed for longer. */
const AFTER_TROUBLE_SECONDS = 3600;
const LEAST_WAIT_SECONDS = 60;

/** Parcels of one license on a page. */
type Group = PollCarrierInput & { licenseId: number; parcels: readonly DueShipment[] };

/**
 * Asks a carrier for the parcels that are due, with each license's own credentials, licenses side by side, and records
 * what changed. Every parcel that was asked about gets its next time, whatever the carrier said; a license for which
 * nobody answers is left, with all that it has due, and costs the others a few calls. Where the activity is cut short,
 * what was not asked about stays due.
 */
export function createPollActivity(app: CarrierApp) {
  return async function pollPage(input: PollCarrierInput): Promise<PollPageResult> {
    const adapter = app.carriers(input.provider);
    const result = { checked: 0, changed: 0, more: false };
    if (adapter.status === undefined) return result;
    const due = await listDueShipments(app.db, { provider: input.provider, limit: PAGE });
    const call = callLimit(adapter);
    // Every call under way listens.
    setMaxListeners(adapter.limits.concurrency + 10, cancellationSignal());
    await withHeartbeat(async (beat) => {
      const groups = byLicense(due).map(async ([licenseId, parcels]) => {
        const read = await readGroup(app, { ...input, licenseId, parcels }, call);
        result.checked += read?.answered.size ?? 0;
        result.changed += read?.changed ?? 0;
        beat({ checked: result.checked });
      });
      for (const end of await Promise.allSettled(groups)) if (end.status === 'rejected') throw end.reason;
    });
    return { ...result, more: due.length === PAGE && !cancellationSignal().aborted };
  };
}

/** Half of what the carrier takes: bookings need the other. */
function callLimit({ limits }: CarrierAdapter): Limit {
  const limit = createLimit(Math.max(1, Math.floor(limits.concurrency / 2)));
  const rate = new Rate({ perSecond: Math.max(1, limits.requestsPerSecond / 2) });
  return (work) =>
    limit(async () => {
      await rate.turn();
      return await work();
    });
}

/** Null where the license's parcels could not be asked about at all: they come again much later, the others go on. */
async function readGroup(app: CarrierApp, group: Group, call: Limit): Promise<ReadingResult | null> {
  try {
    const read = await readStatuses(app, { ...group, signal: cancellationSignal(), lanes: LANES, call });
    if (read.trouble !== null) logTrouble(group, read.trouble);
    await postpone(app, group, read);
    return read;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    logTrouble(group, error);
    const { provider, licenseId } = group;
    await postponeLicensePolls(app.db, { provider, licenseId, seconds: AFTER_TROUBLE_SECONDS });
    return null;
  }
}

function logTrouble({ licenseId, provider }: Group, trouble: unknown): void {
  const error = trouble instanceof Error ? trouble.name : 'unknown';
  log.error('parcels of a license cannot be asked about', { licenseId, provider, error });
}

async function postpone(
  { db }: CarrierApp,
  { provider, licenseId }: Group,
  { failed, untold, stoppedBy }: ReadingResult,
): Promise<void> {
  const ids = [...failed].filter((id) => !untold.has(id));
  await postponeUntold(db, { ids: [...untold], seconds: AFTER_FAILURE_SECONDS });
  if (stoppedBy === null) return await postponePolls(db, { ids, seconds: AFTER_FAILURE_SECONDS });
  const seconds = waitSeconds(stoppedBy);
  log.warn('a carrier does not answer for a license', {
    licenseId,
    provider,
    outcome: stoppedBy.kind,
    seconds,
  });
  await postponePolls(db, { ids, seconds: Math.max(seconds, AFTER_OWN_FAILURE_SECONDS) });
  await postponeLicensePolls(db, { provider, licenseId, seconds });
}

function waitSeconds(stop: NonNullable<ReadingResult['stoppedBy']>): number {
  if (stop.kind !== 'throttled' || stop.retryAfterMs === undefined) return AFTER_FAILURE_SECONDS;
  const asked = Math.ceil(stop.retryAfterMs / 1000);
  return Math.min(Math.max(asked, LEAST_WAIT_SECONDS), AFTER_TROUBLE_SECONDS);
}

function byLicense(due: readonly DueShipment[]): [number, DueShipment[]][] {
  const groups = new Map<number, DueShipment[]>();
  for (const shipment of due) {
    const group = groups.get(shipment.licenseId);
    if (group === undefined) groups.set(shipment.licenseId, [shipment]);
    else group.push(shipment);
  }
  return [...groups];
}
