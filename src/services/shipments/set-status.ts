import type { WakeTarget } from '../../contracts/wake.js';
import type { Executor } from '../../db/database.js';
import { recordReading } from '../../db/queries/carriers/readings.js';
import { findParcel } from '../../db/queries/creation/cancelling.js';
import { AppError, notFound, validationError } from '../../domain/errors.js';
import { isFinal, type SettableStatus, type StatusCode, statusName } from '../../domain/statuses.js';
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

/** A clock may be this much ahead of ours. */
const AHEAD_SECONDS = 60;

/**
 * Records a status that a person reports, by the rules of carriers' events: a final one stays, and an older one only
 * joins the history. Must run inside a transaction; the returned targets are woken after it.
 * @throws AppError `not_found`, `not_supported` where the carrier reports by itself, `validation_failed` for a final
 * parcel or a time in the future
 */
export async function recordStatus(
  tx: Executor,
  { carriers }: Pick<App, 'carriers'>,
  { accountId, uuid, code, description = '', occurredAt = nowIso() }: SetStatusRequest,
): Promise<{ before: StatusCode; after: StatusCode; wake: WakeTarget[] }> {
  const parcel = await findParcel(tx, { accountId, shipmentUuid: uuid });
  if (parcel === null) throw notFound('shipment');
  const { status, webhook } = carriers(parcel.provider);
  if (status !== undefined || webhook !== undefined) {
    throw new AppError('not_supported', 'The carrier of this shipment reports its statuses by itself.');
  }
  if (isFinal(parcel.status)) {
    throw validationError({ code: [`The shipment is ${statusName(parcel.status)}, which is final.`] });
  }
  if (occurredAt > isoAfter(AHEAD_SECONDS)) {
    throw validationError({ occurred_at: ['The occurred_at field must not be in the future.'] });
  }
  const event = { code, carrierCode: code, carrierDescription: description, occurredAt, location: null };
  const { previous, current, wake } = await recordReading(tx, {
    shipmentId: parcel.id,
    checkedAt: nowIso(),
    events: [event],
    isPartial: true,
    nextPollAt: () => null,
  });
  return { before: previous, after: current, wake };
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
