import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import type { PickupPoint } from '../src/carriers/contract.js';
import { POINTS_REFUSED, type RefreshPointsInput } from '../src/contracts/refresh-pickup-points.js';
import { listCopiesToRenew, replacePoints } from '../src/db/queries/carriers/pickup-points.js';
import { placeOf, type StoredPickupPoint } from '../src/domain/pickup-points.js';
import { cutText } from '../src/lib/text.js';
import { SETTINGS_UNREADABLE } from '../src/services/carriers/carrier-accounts.js';
import type { CarrierApp, CarrierSlots } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';
import { retry, waitOf } from './next-try.js';
import { CREDENTIALS_REFUSED, readableAccount } from './readable-account.js';

/** `pointSlotsFor`: slots for renewing many lists. */
export interface PointsApp extends Pick<CarrierApp, 'db' | 'carriers' | 'accounts'> {
  pointSlotsFor: CarrierSlots;
}

/**
 * Fetches a license's pickup points and replaces the stored copy. An empty list counts as the carrier's
 * failure: the copy stays. Returns the number of points.
 */
export function createRefreshPointsActivity(app: PointsApp) {
  return async function refreshPoints(input: RefreshPointsInput): Promise<{ points: number }> {
    const adapter = app.carriers(input.provider);
    const ask = adapter.pickupPoints?.bind(adapter);
    if (ask === undefined) {
      throw ApplicationFailure.nonRetryable('The carrier has no pickup points.', POINTS_REFUSED);
    }
    const account = await readableAccount(app, input);
    if (account === null) throw ApplicationFailure.nonRetryable(SETTINGS_UNREADABLE, POINTS_REFUSED);
    return await withHeartbeat(async () => {
      const context = { account, signal: cancellationSignal() };
      const outcome =
        input.isOneOfMany === true
          ? await app.pointSlotsFor(adapter, account)(() => ask(context))
          : await ask(context);
      if (outcome.kind === 'rejected') throw ApplicationFailure.nonRetryable(outcome.text, POINTS_REFUSED);
      if (outcome.kind === 'unauthorized') {
        throw ApplicationFailure.nonRetryable(CREDENTIALS_REFUSED, POINTS_REFUSED);
      }
      if (outcome.kind !== 'accepted') throw retry('CarrierUnavailable', outcome.text, waitOf(outcome));
      const points = toStored(outcome.value);
      if (points.length === 0) throw retry('CarrierUnavailable', 'The carrier named no pickup point.');
      await replacePoints(app.db, { licenseId: input.licenseId, points });
      return { points: points.length };
    });
  };
}

/** The next licenses whose copies to renew; none at the end. */
export function createListPointCopiesActivity(app: Pick<CarrierApp, 'db'>) {
  return async function listPointCopies(input: {
    provider: string;
    afterLicenseId: number;
  }): Promise<number[]> {
    return await listCopiesToRenew(app.db, { ...input, limit: 20 });
  };
}

/** Cuts texts to the columns; the later of equal ids wins, and points without a usable id are dropped. */
function toStored(points: readonly PickupPoint[]): StoredPickupPoint[] {
  const byId = new Map<string, StoredPickupPoint>();
  for (const point of points) {
    if (point.id === '' || point.id.length > 64) continue;
    const place = placeOf(point.latitude, point.longitude);
    byId.set(point.id, {
      id: point.id,
      name: cutText(point.name, 255),
      city: cutText(point.city, 255),
      street: cutText(point.street, 255),
      number: cutText(point.number, 32),
      streetCode: cutText(point.streetCode, 32),
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      remarks: cutText(point.remarks, 1000),
    });
  }
  return [...byId.values()];
}
