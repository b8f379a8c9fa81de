import { setMaxListeners } from 'node:events';
import { cancellationSignal, log } from '@temporalio/activity';
import type { CarrierAdapter } from '../src/carriers/contract.js';
import { isUnavailable } from '../src/db/database.js';
import {
  type DueShipment,
  listDueShipments,
  postponeLicensePolls,
  postponePolls,
  postponeUnknown,
} from '../src/db/queries/carriers/polling.js';
import { Rate } from '../src/lib/limits/rate.js';
import { Slots } from '../src/lib/limits/slots.js';
import { type InTurn, type ReadingResult, readStatuses } from '../src/services/shipments/status-readings.js';
import type { CarrierApp } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';

const PARCELS_OF_STEP = 100;
const FAILED_SECONDS = 300;
const OWN_FAILURE_SECONDS = 900;
const TROUBLE_SECONDS = 3600;
const LEAST_WAIT_SECONDS = 60;

/** A page's parcels of one license. */
type Group = { provider: string; licenseId: number; parcels: readonly DueShipment[] };

/**
 * Polls a carrier for due parcels, licenses in parallel with their own credentials, and records changes. Every
 * polled parcel gets its next time. A license without answers is skipped after a few calls. When aborted,
 * parcels not yet polled stay due. `more`: further parcels are due.
 */
export function createPollActivity(app: CarrierApp) {
  return async function pollPage(input: {
    provider: string;
  }): Promise<{ checked: number; changed: number; more: boolean }> {
    const adapter = app.carriers(input.provider);
    const result = { checked: 0, changed: 0, more: false };
    if (adapter.status === undefined) return result;
    const due = await listDueShipments(app.db, { provider: input.provider, limit: PARCELS_OF_STEP });
    const call = callLimit(adapter);
    // Every running call adds a listener.
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
    return { ...result, more: due.length === PARCELS_OF_STEP && !cancellationSignal().aborted };
  };
}

/** Half of the carrier's limits; bookings need the rest. */
function callLimit({ limits }: CarrierAdapter): InTurn {
  const slots = new Slots({ total: Math.max(1, Math.floor(limits.concurrency / 2)) });
  const rate = new Rate({ perSecond: Math.max(1, limits.requestsPerSecond / 2) });
  return (work) =>
    slots.use(async () => {
      await rate.turn();
      return await work();
    });
}

/** Null when the license's parcels could not be polled: they are postponed, other licenses continue. */
async function readGroup(app: CarrierApp, group: Group, call: InTurn): Promise<ReadingResult | null> {
  try {
    if (group.parcels.some(({ isDisabled }) => isDisabled)) return await skip(app, group);
    const read = await readStatuses(app, {
      ...group,
      signal: cancellationSignal(),
      lanes: 4,
      call,
    });
    if (read.trouble !== null) logTrouble(group, read.trouble);
    await postpone(app, group, read);
    return read;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    logTrouble(group, error);
    return await skip(app, group);
  }
}

async function skip({ db }: CarrierApp, { provider, licenseId }: Group): Promise<null> {
  await postponeLicensePolls(db, { provider, licenseId, seconds: TROUBLE_SECONDS });
  return null;
}

function logTrouble({ licenseId, provider }: Group, trouble: unknown): void {
  const error = trouble instanceof Error ? trouble.name : 'unknown';
  log.error('parcels of a license cannot be asked about', { licenseId, provider, error });
}

async function postpone(
  { db }: CarrierApp,
  { provider, licenseId }: Group,
  { failed, unknownToCarrier, stoppedBy }: ReadingResult,
): Promise<void> {
  const ids = [...failed].filter((id) => !unknownToCarrier.has(id));
  await postponeUnknown(db, { ids: [...unknownToCarrier], seconds: FAILED_SECONDS });
  if (stoppedBy === null) return await postponePolls(db, { ids, seconds: FAILED_SECONDS });
  const seconds = waitSeconds(stoppedBy);
  log.warn('a carrier does not answer for a license', {
    licenseId,
    provider,
    outcome: stoppedBy.kind,
    seconds,
  });
  await postponePolls(db, { ids, seconds: Math.max(seconds, OWN_FAILURE_SECONDS) });
  await postponeLicensePolls(db, { provider, licenseId, seconds });
}

function waitSeconds(stop: NonNullable<ReadingResult['stoppedBy']>): number {
  if (stop.kind !== 'throttled' || stop.retryAfterMs === undefined) return FAILED_SECONDS;
  const asked = Math.ceil(stop.retryAfterMs / 1000);
  return Math.min(Math.max(asked, LEAST_WAIT_SECONDS), TROUBLE_SECONDS);
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
