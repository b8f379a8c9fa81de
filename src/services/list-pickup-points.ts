import type { Client } from '@temporalio/client';
import type { CarrierAdapter } from '../carriers/contract.js';
import { POINTS_REFUSED } from '../contracts/refresh-pickup-points.js';
import type { Database } from '../db/database.js';
import type { LicenseSummary } from '../db/queries/accounts.js';
import { findPointCopy, type ListedPoint, listPoints, notePointsAsked } from '../db/queries/pickup-points.js';
import { findRunNames } from '../db/queries/run-names.js';
import { AppError, unavailable } from '../domain/errors.js';
import { promptly } from '../temporal/client.js';
import { startRefreshPickupPoints } from '../temporal/starters.js';
import { type RunWaiter, runWorkflow } from './run-workflow.js';
import type { PickupPointsRequest } from './services.js';

/** How long the first question for a license waits for the carrier's list. */
const FIRST_USE_WAIT_MS = 20_000;
const HOUR = 3600;
/** The daily renewal missed a copy this old: it is renewed on use. */
const RENEW_AFTER_SECONDS = 36 * HOUR;
/** Nobody asked for a copy this old for long: the question waits a little for a new one. */
const TOO_OLD_SECONDS = 96 * HOUR;
const TOO_OLD_WAIT_MS = 5000;
const NOTE_EVERY_SECONDS = 24 * HOUR;

type Starter = Pick<Client, 'workflow' | 'withDeadline'>;
type CopiedLicense = Pick<LicenseSummary, 'id' | 'carrier'>;

interface Deps extends RunWaiter {
  db: Database;
  carriers(provider: string): CarrierAdapter;
  onTrouble(error: unknown): void;
}

/**
 * Pickup points of the license's carrier, from the stored copy. The first question makes the copy and waits for it;
 * a copy that
 * missed a renewal is answered all the same and renewed behind the answer; of an old one the answer waits a little.
 * @throws AppError `not_supported`, `carrier_rejected`, `service_unavailable`.
 */
export async function listPickupPoints(deps: Deps, request: PickupPointsRequest): Promise<ListedPoint[]> {
  const { accountId, license, ...which } = request;
  if (deps.carriers(license.carrier.provider).pickupPoints === undefined) {
    throw new AppError('not_supported', `${license.carrier.name} has no pickup points.`);
  }
  const copy = await findPointCopy(deps.db, { accountId, licenseId: license.id });
  if (copy === null || copy.carrierId !== license.carrier.id) {
    await makeCopy(deps, accountId, license, FIRST_USE_WAIT_MS);
  } else {
    await keepFresh(deps, accountId, license, copy);
  }
  return await listPoints(deps.db, { licenseId: license.id, ...which });
}

/** Whether the daily renewal has missed the copy, so that it may not have points that were opened since. */
export function isRenewalMissed({ refreshedAgo }: { refreshedAgo: number }): boolean {
  return refreshedAgo > RENEW_AFTER_SECONDS;
}

/** Has the copy fetched behind a booking, which does not wait for it: the label names the point then. */
export function renewCopy(
  deps: Pick<Deps, 'db'> & { temporal: Starter },
  accountId: number,
  license: CopiedLicense,
): void {
  // The next booking, or whoever lists the points, asks again.
  start(deps, accountId, license).catch(() => undefined);
}

async function makeCopy(
  deps: Deps,
  accountId: number,
  license: LicenseSummary,
  waitMs: number,
): Promise<void> {
  await runWorkflow(deps, () => start(deps, accountId, license), {
    waitMs,
    failures: { [POINTS_REFUSED]: (message) => new AppError('carrier_rejected', message) },
    late: () =>
      unavailable(`The carrier's pickup points are not here yet. Ask again.`, { retryAfterSeconds: 10 }),
  });
}

async function keepFresh(
  deps: Deps,
  accountId: number,
  license: LicenseSummary,
  copy: { refreshedAgo: number; askedAgo: number },
): Promise<void> {
  if (copy.askedAgo > NOTE_EVERY_SECONDS) await notePointsAsked(deps.db, license.id);
  if (copy.refreshedAgo > TOO_OLD_SECONDS) {
    await makeCopy(deps, accountId, license, TOO_OLD_WAIT_MS).catch((error: unknown) => {
      // The old copy answers meanwhile, and the run shows what keeps the new one away.
      if (!(error instanceof AppError)) throw error;
    });
  } else if (isRenewalMissed(copy)) {
    start(deps, accountId, license).catch(deps.onTrouble);
  }
}

async function start(
  deps: Pick<Deps, 'db'> & { temporal: Starter },
  accountId: number,
  license: CopiedLicense,
) {
  const { id: licenseId, carrier } = license;
  const names = await findRunNames(deps.db, licenseId);
  return await promptly(deps.temporal, () =>
    startRefreshPickupPoints(deps.temporal, { accountId, provider: carrier.provider, licenseId, names }),
  );
}
