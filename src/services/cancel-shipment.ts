import type { Client } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { CANCEL_REFUSED } from '../contracts/cancel-shipment.js';
import type { Database } from '../db/database.js';
import { findShipment } from '../db/queries/shipments.js';
import { AppError, notFound, unavailable } from '../domain/errors.js';
import type { ShipmentRecord } from '../domain/shipment.js';
import { isFinal } from '../domain/statuses.js';
import { promptly } from '../temporal/client.js';
import { isEngineTrouble, waitForRun } from '../temporal/outcomes.js';
import { startCancelShipment } from '../temporal/starters.js';

interface Deps {
  db: Database;
  temporal: Client;
  config: Pick<Config, 'createWaitMs'>;
  /** Aborted when the process ends: waits for runs end then. */
  stopping?: AbortSignal | undefined;
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
  try {
    const handle = await promptly(deps.temporal, () => startCancelShipment(deps.temporal, input));
    const outcome = await waitForRun(deps.temporal, handle, {
      timeoutMs: deps.config.createWaitMs,
      stopping: deps.stopping,
    });
    if (outcome.kind === 'completed') return await find(deps, accountId, uuid);
    if (outcome.kind === 'failed' && outcome.type === CANCEL_REFUSED) throw notCancellable(outcome.message);
  } catch (error) {
    if (!isEngineTrouble(error)) throw error;
  }
  throw unavailable('The carrier has not answered the cancellation yet. Ask again.', {
    retryAfterSeconds: 10,
  });
}

async function find(deps: Deps, accountId: number, uuid: string): Promise<ShipmentRecord> {
  const shipment = await findShipment(deps.db, { accountId, uuid });
  if (shipment === null) throw notFound('shipment');
  return shipment;
}

function notCancellable(message: string): AppError {
  return new AppError('shipment_not_cancellable', message);
}
