import type { Config } from '../config/config.js';
import { CANCEL_REFUSED } from '../contracts/cancel-shipment.js';
import type { Database } from '../db/database.js';
import { findShipment } from '../db/queries/shipments.js';
import { AppError, notFound, unavailable } from '../domain/errors.js';
import type { ShipmentRecord } from '../domain/shipment.js';
import { isFinal } from '../domain/statuses.js';
import { startCancelShipment } from '../temporal/starters.js';
import { type RunWaiter, runWorkflow } from './run-workflow.js';

interface Deps extends RunWaiter {
  db: Database;
  config: Pick<Config, 'createWaitMs'>;
}

/** `byStore`: a store asks by a call of v1, and needs not be told. */
export interface CancelShipmentRequest {
  accountId: number;
  uuid: string;
  reason: string | null;
  byStore?: true;
}

/**
 * Cancels a shipment with the carrier. A cancelled one is returned as it is.
 * @throws AppError `not_found`, `shipment_not_cancellable`, `service_unavailable`.
 */
export async function cancelShipment(deps: Deps, request: CancelShipmentRequest): Promise<ShipmentRecord> {
  const { accountId, uuid, reason, byStore } = request;
  const shipment = await find(deps, accountId, uuid);
  if (shipment.status.code === 'cancelled') return shipment;
  if (shipment.state !== 'created') throw notCancellable('The shipment is still being created.');
  if (isFinal(shipment.status.code)) throw notCancellable('The shipment has reached its end.');

  const input = {
    accountId,
    shipmentUuid: uuid,
    licenseId: shipment.licenseId,
    provider: shipment.carrier.provider,
    orderId: shipment.order.id,
    trackingCode: shipment.trackingCode ?? '',
    reason,
    ...(byStore === undefined ? {} : { byStore }),
  };
  await runWorkflow(deps, () => startCancelShipment(deps.temporal, input), {
    waitMs: deps.config.createWaitMs,
    failures: { [CANCEL_REFUSED]: notCancellable },
    late: () =>
      unavailable('The carrier has not answered the cancellation yet. Ask again.', { retryAfterSeconds: 10 }),
  });
  return await find(deps, accountId, uuid);
}

async function find(deps: Deps, accountId: number, uuid: string): Promise<ShipmentRecord> {
  const shipment = await findShipment(deps.db, { accountId, uuid });
  if (shipment === null) throw notFound('shipment');
  return shipment;
}

function notCancellable(message: string): AppError {
  return new AppError('shipment_not_cancellable', message);
}
