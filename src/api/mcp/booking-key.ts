import { Type } from 'typebox';
import type { IdempotencyRef } from '../../contracts/create-shipment.js';
import { shortDigest } from '../../lib/digest.js';
import { withoutMarks } from '../../lib/sent-text.js';
import { idempotencyOf } from '../idempotency.js';
import { CreateShipmentBody } from '../v2/shipments/create-schema.js';
import { ListShipmentsQuery } from '../v2/shipments/schema.js';
import type { ToolCaller } from './tool.js';

export const ParcelUuid = Type.String({ format: 'uuid', description: 'The uuid of the parcel.' });

export const LicenseId = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'The license (carrier account), by its id. Leave it out unless your user names one: the sandbox license is ' +
      'taken where the account has one, else the only license.',
  }),
);

/** Which booking of an order a parcel is. */
export const Attempt = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 99,
    default: 1,
    description:
      'Which parcel of this order and type it is: 1 for the first. The next number ships the order again, once the ' +
      'parcel of the number before is cancelled, returned or lost. Never raise it to repeat a call.',
  }),
);

/** Names a booking that was made here, in place of a uuid. */
export const OrderRef = {
  order_id: ListShipmentsQuery.properties['filter[order_id]'],
  type: Type.Optional(CreateShipmentBody.properties.ship_data.properties.type),
  attempt: Attempt,
};

/** An order id as the key and the booking have it: a model may add blanks and invisible characters. */
export function orderIdOf(sent: string): string {
  return withoutMarks(sent);
}

/**
 * The key of a booking. It holds neither license nor content: however a model writes its call again, the order, the
 * service and the attempt are the same. Keys belong to an account.
 */
export function bookingKeyOf({
  orderId,
  type,
  attempt,
}: {
  orderId: string;
  type: number;
  attempt: number;
}): string {
  return `mcp-${shortDigest(JSON.stringify([orderIdOf(orderId), type, attempt]))}`;
}

/** The row of a key. */
export function bookingRef(key: string, { app }: Pick<ToolCaller, 'app'>): IdempotencyRef {
  return idempotencyOf({ fingerprint: '', headerValues: [key] }, app.config);
}
