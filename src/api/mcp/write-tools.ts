import { type Static, Type } from 'typebox';
import { findKey } from '../../db/queries/creation/idempotency.js';
import { AppError } from '../../domain/errors.js';
import { quoted } from '../../domain/problems/problem.js';
import { createOperation, dryRunOperation } from '../v2/shipments/create-routes.js';
import { CreateShipmentBody } from '../v2/shipments/create-schema.js';
import { shipmentRoutes } from '../v2/shipments/routes.js';
import { CancelShipmentBody } from '../v2/shipments/schema.js';
import { Attempt, bookingKeyOf, bookingRef, LicenseId, orderIdOf, ParcelUuid } from './booking-key.js';
import { nextOf, storyOf } from './read-tools.js';
import {
  type ChosenLicense,
  callFor,
  chooseLicense,
  defineTool,
  isRefusal,
  READS,
  type ToolAnswer,
  type ToolCaller,
} from './tool.js';

const { ship_data: ShipData, order: Order } = CreateShipmentBody.properties;

/** Of the API's body, what a person says about a parcel; the rest is for shops. */
const Parcel = {
  license_id: LicenseId,
  ship_data: Type.Omit(ShipData, ['motor', 'collect', 'woo_id', 'house_no'], {
    description: 'The parcel and its recipient.',
    additionalProperties: false,
  }),
  order: Type.Pick(Order, ['id', 'number', 'total', 'currency'], {
    description: 'The order of the shop that the parcel is for.',
    additionalProperties: false,
  }),
};
const ParcelInput = Type.Object(Parcel, { additionalProperties: false });
const BookingInput = Type.Object({ ...Parcel, attempt: Attempt }, { additionalProperties: false });

function bodyOf({ ship_data, order }: Static<typeof ParcelInput>, license: ChosenLicense) {
  return { license_key: license.key, ship_data, order: { ...order, id: orderIdOf(order.id) } };
}

export const dryRunParcel = defineTool(
  {
    name: 'dry_run_parcel',
    title: 'What would happen',
    description:
      'Says what booking a parcel would send to the carrier, or why it would be refused, by the rules of the booking ' +
      'itself. Books nothing. Call it, and show your user the result, before book_parcel.',
    writes: false,
    hints: READS,
    input: ParcelInput,
  },
  async (args, caller) => {
    const license = await chooseLicense(caller, args.license_id);
    const { data } = await callFor(caller)(dryRunOperation, { body: bodyOf(args, license) });
    return { data: { license: license.shown, ...data } };
  },
);

export const bookParcel = defineTool(
  {
    name: 'book_parcel',
    title: 'Book a parcel',
    description:
      'Books a parcel with the carrier, which costs money unless the license is a sandbox. An order has one parcel of ' +
      'each type: the same order and attempt again gives the same parcel, whatever else the call says. Where the ' +
      'outcome is unknown, do not repeat: ask parcel_story.',
    writes: true,
    // A courier comes for it: a host should ask its user.
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input: BookingInput,
  },
  async (args, caller) => {
    const { attempt = 1, ship_data: ship } = args;
    const license = await chooseLicense(caller, args.license_id);
    const body = bodyOf(args, license);
    const booking = { orderId: body.order.id, type: ship.type, attempt };
    const key = bookingKeyOf(booking);
    const earlier = await keptOf(key, caller);
    if (earlier === null) await refuseSecond(booking, body, caller);
    try {
      const { data } = await callFor(caller)(createOperation, { body, key });
      return booked(await current(data.uuid, caller), { license, isNew: earlier === null });
    } catch (error) {
      const holder = await keptOf(key, caller);
      if (isCode(error, 'idempotency_key_conflict') && holder !== null) {
        return booked(await current(holder, caller), { isNew: false });
      }
      if (isRefusal(error, caller)) throw error;
      return unknown(booking);
    }
  },
);

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code;
}

/** The uuid of the shipment that a key has made or begun; null for none. */
async function keptOf(key: string, caller: ToolCaller): Promise<string | null> {
  const found = await findKey(caller.app.db, { accountId: caller.accountId, ...bookingRef(key, caller) });
  return found?.shipmentUuid ?? null;
}

/**
 * Before a booking begins: an order that has a parcel gets no second one here, even where its license allows several;
 * and an attempt follows one that is over. @throws AppError
 */
async function refuseSecond(
  booking: Parameters<typeof bookingKeyOf>[0],
  body: ReturnType<typeof bodyOf>,
  caller: ToolCaller,
): Promise<void> {
  const { warnings } = (await callFor(caller)(dryRunOperation, { body })).data;
  const second = warnings.find(({ code }) => code === 'order_has_shipment');
  if (second !== undefined) throw new AppError('duplicate_request', quoted(second.message));
  if (booking.attempt === 1) return;
  const before = booking.attempt - 1;
  const uuid = await keptOf(bookingKeyOf({ ...booking, attempt: before }), caller);
  const parcel = uuid === null ? null : await current(uuid, caller);
  if (parcel === null || parcel.is_active) {
    throw new AppError(
      'duplicate_request',
      quoted(
        parcel === null
          ? `Attempt ${before} of this order has booked nothing: use attempt ${before}.`
          : `The parcel of attempt ${before}, ${parcel.uuid}, is active: cancel it first.`,
      ),
    );
  }
}

async function current(uuid: string, caller: ToolCaller) {
  return (await callFor(caller)(shipmentRoutes.show, { params: { uuid } })).data;
}

function booked(
  shipment: Awaited<ReturnType<typeof current>>,
  { license, isNew }: { license?: ChosenLicense; isNew: boolean },
): ToolAnswer {
  const isKnown = shipment.status.code !== 'pending' && shipment.status.code !== 'needs_attention';
  const outcome = isKnown ? (isNew ? 'booked' : 'booked_before') : 'unknown';
  const before = isNew ? '' : 'This order and attempt were booked before; nothing new was booked. ';
  const next = `${before}${nextOf(shipment) ?? ''}`.trim();
  return {
    data: { outcome, ...(license === undefined ? {} : { license: license.shown }), shipment },
    ...(next === '' ? {} : { next }),
  };
}

/** Nobody knows yet whether the carrier was asked. */
function unknown({ orderId, type, attempt }: Parameters<typeof bookingKeyOf>[0]): ToolAnswer {
  return {
    data: {
      outcome: 'unknown',
      ask: { tool: 'parcel_story', arguments: { order_id: orderId, type, attempt } },
    },
    next: 'Do not repeat the booking. Ask parcel_story with these arguments until the outcome is known.',
    isError: true,
  };
}

export const cancelParcel = defineTool(
  {
    name: 'cancel_parcel',
    title: 'Cancel a parcel',
    description: 'Cancels a parcel with the carrier. Cancelling it again does nothing.',
    writes: true,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    input: Type.Object(
      { uuid: ParcelUuid, reason: CancelShipmentBody.properties.reason },
      { additionalProperties: false },
    ),
  },
  async ({ uuid, reason }, caller) => {
    try {
      const body = reason == null ? {} : { reason };
      const { data } = await callFor(caller)(shipmentRoutes.cancel, { params: { uuid }, body });
      return { data: { outcome: 'cancelled', shipment: data } };
    } catch (error) {
      if (isRefusal(error, caller)) throw error;
      const story = await storyOf(uuid, caller);
      const next = `Nobody knows yet whether it is cancelled. Do not repeat: ask parcel_story with uuid ${uuid}.`;
      return { ...story, next, isError: true };
    }
  },
);
