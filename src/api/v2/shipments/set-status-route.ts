import { findShipment, listEvents } from '../../../db/queries/shipments/shipments.js';
import { notFound } from '../../../domain/errors.js';
import { setStatus } from '../../../services/shipments/set-status.js';
import { defineRoute } from '../../route.js';
import { toUuid } from '../../uuid.js';
import { statusExample } from '../examples.js';
import { dataOf } from '../schemas.js';
import { toMoment } from './moment.js';
import { presentShipmentStatus } from './presenter.js';
import { SetStatusBody, ShipmentParams, ShipmentStatusSchema } from './schema.js';

/** The shop's own couriers report nothing by themselves: the shop does. */
export const setStatusRoute = defineRoute(
  {
    method: 'post',
    path: '/shipments/{uuid}/status',
    operationId: 'setShipmentStatus',
    tag: 'Shipments',
    summary: 'Set the status of a parcel of your own couriers',
    description:
      'Only for carriers that report no statuses by themselves, such as `independent`: 422 `not_supported` for ' +
      "others. Events, webhooks and mails go out as for a carrier's own status. An older `occurred_at` than the " +
      'present status only joins the history; a final status is never left. Cancel with ' +
      '`POST /shipments/{uuid}/cancel`.',
    license: 'none',
    params: ShipmentParams,
    body: SetStatusBody,
    bodyExample: { code: 'out_for_delivery', description: 'With Dana, on the afternoon tour' },
    responses: {
      200: {
        description: 'The status, with its history oldest first.',
        schema: dataOf(ShipmentStatusSchema),
        example: { data: statusExample },
      },
    },
    errors: ['not_found', 'not_supported'],
    errorMessages: {
      not_found: 'The requested shipment was not found.',
      not_supported: 'The carrier of this shipment reports its statuses by itself.',
    },
  },
  async ({ app, accountId, params, body }) => {
    const uuid = toUuid(params.uuid, 'shipment');
    const { code, description, occurred_at: at } = body;
    await setStatus(app, {
      accountId,
      uuid,
      code,
      description: description ?? undefined,
      occurredAt: at == null ? undefined : toMoment('occurred_at', at, false),
    });
    const shipment = await findShipment(app.db, { accountId, uuid });
    if (shipment === null) throw notFound('shipment');
    const events = await listEvents(app.db, shipment.id);
    return { status: 200, json: { data: presentShipmentStatus(shipment, events) } };
  },
);
