import { CANCEL_REFUSED, CANCEL_UNSURE } from '../../contracts/cancel-shipment.js';
import { AppError, notFound, unavailable } from '../../domain/errors.js';
import { type Problem, problem, quoted } from '../../domain/problems/problem.js';
import type { ShipmentRecord } from '../../domain/shipment.js';
import { isFinal } from '../../domain/statuses.js';
import { startCancelShipment } from '../../temporal/starters.js';
import type { App } from '../app.js';
import type { RestoringApp } from '../creation/restoring.js';
import { runWorkflow } from '../run-workflow.js';
import { findShipment } from './find-shipment.js';

/**
 * Cancels a shipment with the carrier; returns a cancelled one unchanged. `byStore`: a store asked by a v1 call and is
 * not notified. @throws AppError `not_found`, `shipment_not_cancellable`, `service_unavailable`
 */
export async function cancelShipment(
  app: Pick<App<'createWaitMs'>, 'stopping' | 'config'> & RestoringApp,
  request: { accountId: number; uuid: string; reason: string | null; byStore?: true },
): Promise<ShipmentRecord> {
  const { accountId, uuid, reason, byStore } = request;
  const shipment = await find(app, accountId, uuid);
  if (shipment.status.code === 'cancelled') return shipment;
  if (shipment.state !== 'created') throw notCancellable(problem('being_created'));
  if (isFinal(shipment.status.code)) throw notCancellable(problem('already_final'));

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
  await runWorkflow(app, () => startCancelShipment(app.temporal, input), {
    waitMs: app.config.createWaitMs,
    failures: {
      [CANCEL_REFUSED]: (message) => notCancellable(quoted(message)),
      [CANCEL_UNSURE]: () =>
        unavailable(
          'An answer of the carrier was lost, and it does not say whether the parcel is cancelled. The shipment stays ' +
            'active and is shown to an operator, who looks there.',
          { retryAfterSeconds: 60 },
        ),
    },
    late: () =>
      unavailable('The carrier has not answered the cancellation yet. Retry in a few seconds.', {
        retryAfterSeconds: 10,
      }),
  });
  return await find(app, accountId, uuid);
}

async function find(app: RestoringApp, accountId: number, uuid: string): Promise<ShipmentRecord> {
  const shipment = await findShipment(app, { accountId, uuid });
  if (shipment === null) throw notFound('shipment');
  return shipment;
}

function notCancellable(why: Problem): AppError {
  return new AppError('shipment_not_cancellable', why);
}
