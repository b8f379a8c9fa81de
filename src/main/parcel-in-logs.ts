import type { ActivityInterceptors } from '@temporalio/worker';
import { textAt } from '../lib/text-at.js';

/** What a log line says of the parcel that an activity works for. */
interface LoggedParcel {
  shipment?: string;
  orderNumber?: string;
}

/** Names the parcel in every log line of an activity: what its input tells of it. */
export function namingParcel(): ActivityInterceptors {
  let parcel: LoggedParcel = {};
  return {
    inbound: {
      async execute(input, next) {
        parcel = parcelOf(input.args[0]);
        return await next(input);
      },
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...parcel }) },
  };
}

/** Each activity of one parcel has its names in one of these places of its first argument. */
function parcelOf(given: unknown): LoggedParcel {
  const shipment =
    textAt(given, 'shipment', 'uuid') ??
    textAt(given, 'uuid') ??
    textAt(given, 'shipmentUuid') ??
    textAt(given, 'creation', 'shipmentUuid');
  const orderNumber = textAt(given, 'creation', 'order', 'number') ?? textAt(given, 'order', 'number');
  return {
    ...(shipment === undefined ? {} : { shipment }),
    ...(orderNumber === undefined ? {} : { orderNumber }),
  };
}
