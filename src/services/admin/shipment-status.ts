import { Type } from 'typebox';
import { findShipmentOwner } from '../../db/queries/shipments/shipment-search.js';
import { SETTABLE_STATUSES, type SettableStatus } from '../../domain/statuses.js';
import type { App } from '../app.js';
import { recordStatus } from '../shipments/set-status.js';
import { type ActingApp, audited } from './audited.js';
import { requireAdapter } from './carriers.js';
import { fieldError, type Given, Moment, momentOf, requestCheck } from './check.js';

const checkNew = requestCheck({
  /** Uuid or tracking code. */
  shipment: Type.String(),
  status: Type.Unsafe<SettableStatus>({ enum: [...SETTABLE_STATUSES] }),
  note: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  at: Type.Optional(Moment),
});

/**
 * Sets the status of a parcel whose carrier reports none, as the merchant can by API v2. @throws AppError
 * `validation_failed`, `not_supported`
 */
export async function setShipmentStatus(
  app: ActingApp & Pick<App, 'adapters' | 'wake'>,
  request: Given<typeof checkNew>,
): Promise<{ uuid: string; status: string }> {
  const { shipment, status: code, note, at } = checkNew(request);
  const occurredAt = momentOf('at', at, 'start') ?? undefined;
  const [owner, ...others] = await findShipmentOwner(app.db, shipment);
  if (owner === undefined) throw fieldError('shipment', 'shipment_of_none', { given: shipment });
  if (others.length > 0) throw fieldError('shipment', 'shipment_of_several', { given: shipment });
  const { uuid, accountId } = owner;
  const { wake, after: status } = await audited(app, 'shipments.set-status', async (db) => {
    const carriers = (provider: string) => requireAdapter(app, provider);
    const told = { accountId, uuid, code, description: note, occurredAt };
    const result = await recordStatus(db, { carriers }, told);
    return {
      result,
      target: { kind: 'shipment', id: uuid },
      accountId,
      before: { status: result.before },
      after: { status: result.after, note, at: occurredAt },
    };
  });
  app.wake(wake);
  return { uuid, status };
}
