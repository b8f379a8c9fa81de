import type { WakeTarget } from '../../contracts/wake.js';
import type { Executor } from '../../db/database.js';
import { recordReading } from '../../db/queries/carriers/readings.js';
import { type findParcel, lockParcel } from '../../db/queries/creation/cancelling.js';
import { AppError, notFound, validationError } from '../../domain/errors.js';
import { problem, problemAt } from '../../domain/problems/problem.js';
import { isFinal, isOurs, type SettableStatus, type StatusCode, statusName } from '../../domain/statuses.js';
import { israelToIso } from '../../lib/israel-time.js';
import { isoAfter, nowIso } from '../../lib/time.js';
import type { App } from '../app.js';

/** `occurredAt`: ISO 8601 UTC with microseconds; now by default. `description`: the status's name by default. */
interface SetStatusRequest {
  accountId: number;
  uuid: string;
  code: SettableStatus;
  description?: string | undefined;
  occurredAt?: string | undefined;
}

type Parcel = NonNullable<Awaited<ReturnType<typeof findParcel>>>;

/** A clock may be this much ahead of ours. */
const AHEAD_SECONDS = 60;

/**
 * Records a status that a person reports. It counts at the time the person names, between the booking and now, and a
 * time before the present status is refused: nothing is taken without effect. Must run inside a transaction, in which it
 * locks the shipment first: of two at once, the second is compared with what the first has set. The returned targets are
 * woken after it.
 * @throws AppError `not_found`, `not_supported` where the carrier reports by itself, `validation_failed` for a final
 * parcel, or a time in the future, before the booking or before the present status
 */
export async function recordStatus(
  tx: Executor,
  { carriers }: Pick<App, 'carriers'>,
  { accountId, uuid, code, description = '', occurredAt = nowIso() }: SetStatusRequest,
): Promise<{ before: StatusCode; after: StatusCode; wake: WakeTarget[] }> {
  const parcel = await lockParcel(tx, { accountId, shipmentUuid: uuid });
  if (parcel === null) throw notFound('shipment');
  const { status, webhook } = carriers(parcel.provider);
  if (status !== undefined || webhook !== undefined) {
    throw new AppError('not_supported', problem('reports_itself'));
  }
  if (isFinal(parcel.status)) {
    throw validationError({ code: [problem('status_final', { status: statusName(parcel.status) })] });
  }
  if (occurredAt > isoAfter(AHEAD_SECONDS)) {
    throw validationError({ occurred_at: [problemAt('occurred_at', 'not_in_future')] });
  }
  const at = timeOf(parcel, occurredAt);
  const event = { code, carrierCode: code, carrierDescription: description, occurredAt: at, location: null };
  const { previous, current, wake } = await recordReading(tx, {
    shipmentId: parcel.id,
    checkedAt: nowIso(),
    events: [event],
    isPartial: true,
    nextPollAt: () => null,
  });
  return { before: previous, after: current, wake };
}

/**
 * The time at which the status counts. People name minutes, so within the minute of the present status it follows at
 * once. @throws AppError `validation_failed` for a time before the booking or before the present status
 */
function timeOf(
  { status, statusAt, createdAt }: Pick<Parcel, 'status' | 'statusAt' | 'createdAt'>,
  occurredAt: string,
): string {
  if (minuteOf(occurredAt) < minuteOf(createdAt)) {
    throw validationError({ occurred_at: [problemAt('occurred_at', 'before_booking', { time: createdAt })] });
  }
  if (isOurs(status) || occurredAt >= statusAt) return occurredAt;
  if (minuteOf(occurredAt) === minuteOf(statusAt)) return statusAt;
  const values = { time: statusAt, status: statusName(status) };
  throw validationError({ occurred_at: [problemAt('occurred_at', 'before_status', values)] });
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16);
}

/** {@link recordStatus} in one transaction. */
export async function setStatus(
  app: Pick<App, 'db' | 'carriers' | 'wake'>,
  request: SetStatusRequest,
): Promise<void> {
  const { wake } = await app.db.transaction((tx) => recordStatus(tx, app, request));
  app.wake(wake);
}

/** A moment of a form in Israel's time, such as `2026-11-28T12:00`, as ISO 8601 UTC; the text itself where it is none. */
export function momentInIsrael(local: string): string {
  const [day = '', time = ''] = local.split('T');
  return israelToIso(day.split('-').toReversed().join('/'), time) ?? local;
}
