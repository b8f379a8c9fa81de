import type { ActivityInterceptors } from '@temporalio/worker';
import { textAt } from '../lib/text-at.js';

/** Identifies the parcel of an activity in log lines. */
interface LoggedParcel {
  shipment?: string;
  orderNumber?: string;
}

/** Adds the parcel from an activity's input to all its log lines. */
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

/** Activities of one parcel have its ids in one of these places of their first argument. */
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
