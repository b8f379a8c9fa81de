import { Type } from 'typebox';
import { AppError, Overloaded } from '../../../domain/errors.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { isFinal } from '../../../domain/statuses.js';
import { cancelShipment } from '../../../services/shipments/cancel-shipment.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute, type LicensedContext } from '../route.js';
import { closed } from '../schemas.js';
import { codeOf, findByCode, shippingId } from './lookup.js';

const Changed = closed('The shipment that was cancelled.', {
  shipping_id: Type.Integer({ description: 'Our id of the shipment.' }),
});

/** Every outcome is HTTP 200. */
export const changeOrderStatusRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/change_order_status',
    operationId: 'changeOrderStatus',
    tag: 'Shipping',
    summary: 'Cancel a shipment',
    description:
      'Cancels the shipment with the carrier; for a cancelled one it succeeds without doing anything. An unknown ' +
      'shipment and a cancellation that fails or is not answered in time are HTTP 200 with `success: false`. ' +
      "A valid `token` extends the look-up to all licenses of its user's account.",
    normalised: true,
    input: {
      shipping_id: shippingId,
      status: Type.Optional(
        Type.Unsafe<'cancel'>({
          type: 'string',
          enum: ['cancel'],
          description: 'The only supported change.',
        }),
      ),
    },
    inputExample: {
      license_key: 'lic-main',
      domain: 'demo-shop.example',
      shipping_id: '74100231',
      status: 'cancel',
    },
    responses: {
      200: {
        description: 'Cancelled, or why not.',
        schema: Type.Union([envelopeOf(Changed), FailureEnvelope]),
        example: {
          data: { shipping_id: 5012 },
          message: 'The status was updated',
          success: true,
          warning: '',
        },
      },
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const shipment = await findByCode(app, { license, user }, codeOf(input.shipping_id));
    if (shipment === null) return failed(200, say.shipmentNotFound);
    const refusal = await cancel({ app, request, say }, shipment);
    if (refusal !== null) return failed(200, refusal);
    return succeeded({ shipping_id: shipment.id }, say.statusUpdated);
  },
);

/** The reason for not cancelling; null on success. */
async function cancel(
  { app, request, say }: Pick<LicensedContext<unknown>, 'app' | 'request' | 'say'>,
  shipment: ShipmentRecord,
): Promise<string | null> {
  const { accountId, uuid, status } = shipment;
  if (status.code === 'cancelled') return null;
  if (isFinal(status.code)) return say.shipmentEnded;
  try {
    await request.whileWaiting(() => cancelShipment(app, { accountId, uuid, reason: null, byStore: true }));
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof Overloaded) throw error;
    if (error.code === 'shipment_not_cancellable') return error.message;
    if (error.code === 'not_found') return say.shipmentNotFound;
    if (error.code === 'service_unavailable') return say.cancellationOpen;
    throw error;
  }
}
