import type { Client } from '@temporalio/client';
import { POINTS_REFUSED } from '../../contracts/refresh-pickup-points.js';
import type { LicenseSummary } from '../../db/queries/accounts/accounts.js';
import {
  findPointCopy,
  type ListedPoint,
  listPoints,
  notePointsAsked,
} from '../../db/queries/carriers/pickup-points.js';
import { findRunNames } from '../../db/queries/shipments/run-names.js';
import { AppError, unavailable } from '../../domain/errors.js';
import type { Place } from '../../domain/pickup-points.js';
import { problem, quoted } from '../../domain/problems/problem.js';
import { LIMITS } from '../../lib/limits/values.js';
import { DAY_SECONDS } from '../../lib/time.js';
import { promptly } from '../../temporal/client.js';
import { startRefreshPickupPoints } from '../../temporal/starters.js';
import type { App } from '../app.js';
import { runWorkflow } from '../run-workflow.js';

const RENEW_AFTER_SECONDS = 129_600;
const OLD_AFTER_SECONDS = 345_600;
const RENEW_OLD_MS = 5000;

type Starter = Pick<Client, 'workflow' | 'withDeadline'>;
type CopiedLicense = Pick<LicenseSummary, 'id' | 'carrier'>;

type PointsApp = Pick<App, 'db' | 'temporal' | 'stopping' | 'carriers' | 'onTrouble'>;

interface PickupPointsRequest {
  accountId: number;
  license: LicenseSummary;
  city?: string;
  near?: Place;
  limit: number;
}

/**
 * Pickup points of the license's carrier from the stored copy. The first request waits for the copy. A copy
 * that missed a renewal is returned and renewed in the background; for an old one the request waits a little.
 * @throws AppError `not_supported`, `carrier_rejected`, `service_unavailable`
 */
export async function listPickupPoints(app: PointsApp, request: PickupPointsRequest): Promise<ListedPoint[]> {
  const { accountId, license, ...which } = request;
  if (app.carriers(license.carrier.provider).pickupPoints === undefined) {
    throw new AppError(
      'not_supported',
      problem('named_carrier_without_points', { carrier: license.carrier.name }),
    );
  }
  const copy = await findPointCopy(app.db, { accountId, licenseId: license.id });
  if (copy === null || copy.carrierId !== license.carrier.id) {
    await makeCopy(app, accountId, license, LIMITS.points.firstMs);
  } else {
    await keepFresh(app, accountId, license, copy);
  }
  return await listPoints(app.db, { licenseId: license.id, ...which });
}

/** Whether the copy missed the daily renewal, so that new points may be missing. */
export function isRenewalMissed({ refreshedAgo }: { refreshedAgo: number }): boolean {
  return refreshedAgo > RENEW_AFTER_SECONDS;
}

/** Renews the copy in the background of a booking, so that the label can name the point. */
export function renewCopy(
  app: Pick<App, 'db'> & { temporal: Starter },
  accountId: number,
  license: CopiedLicense,
): void {
  // The next booking or listing tries again.
  start(app, accountId, license).catch(() => undefined);
}

async function makeCopy(
  app: PointsApp,
  accountId: number,
  license: LicenseSummary,
  waitMs: number,
): Promise<void> {
  await runWorkflow(app, () => start(app, accountId, license), {
    waitMs,
    failures: { [POINTS_REFUSED]: (message) => new AppError('carrier_rejected', quoted(message)) },
    late: () =>
      unavailable(`The carrier's pickup points are not available yet. Retry in a few seconds.`, {
        retryAfterSeconds: 10,
      }),
  });
}

async function keepFresh(
  app: PointsApp,
  accountId: number,
  license: LicenseSummary,
  copy: { refreshedAgo: number; askedAgo: number },
): Promise<void> {
  if (copy.askedAgo > DAY_SECONDS) await notePointsAsked(app.db, license.id);
  if (copy.refreshedAgo > OLD_AFTER_SECONDS) {
    await makeCopy(app, accountId, license, RENEW_OLD_MS).catch((error: unknown) => {
      // The old copy is returned meanwhile; the run shows the reason.
      if (!(error instanceof AppError)) throw error;
    });
  } else if (isRenewalMissed(copy)) {
    start(app, accountId, license).catch(app.onTrouble);
  }
}

async function start(
  app: Pick<App, 'db'> & { temporal: Starter },
  accountId: number,
  license: CopiedLicense,
) {
  const { id: licenseId, carrier } = license;
  const names = await findRunNames(app.db, licenseId);
  return await promptly(app.temporal, () =>
    startRefreshPickupPoints(app.temporal, { accountId, provider: carrier.provider, licenseId, names }),
  );
}
