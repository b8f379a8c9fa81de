import { Type } from 'typebox';
import { findKey } from '../../db/queries/creation/idempotency.js';
import { AppError } from '../../domain/errors.js';
import { labelRoutes } from '../v2/labels/routes.js';
import { pickupPointRoutes } from '../v2/pickup-points/routes.js';
import { ListPickupPointsQuery } from '../v2/pickup-points/schema.js';
import { shipmentRoutes } from '../v2/shipments/routes.js';
import { ListShipmentsQuery, type Shipment } from '../v2/shipments/schema.js';
import { bookingKeyOf, bookingRef, LicenseId, OrderRef, ParcelUuid } from './booking-key.js';
import {
  callFor,
  chooseLicense,
  defineTool,
  needed,
  READS,
  type ToolAnswer,
  type ToolCaller,
} from './tool.js';

const listed = ListShipmentsQuery.properties;
const points = ListPickupPointsQuery.properties;
/** A page that a model can still read. */
const MOST_ROWS = 20;
const Rows = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: 10, description: 'Rows on a page.' }),
);

export const findParcels = defineTool(
  {
    name: 'find_parcels',
    title: 'Find parcels',
    description:
      'Finds the parcels of the account, newest first, by order, tracking code, status or day. Bookings under way are ' +
      'found only with the status pending or needs_attention.',
    writes: false,
    hints: READS,
    input: Type.Object(
      {
        order_id: listed['filter[order_id]'],
        tracking_code: listed['filter[tracking_code]'],
        status: listed['filter[status]'],
        created_from: listed['filter[created_from]'],
        created_to: listed['filter[created_to]'],
        page: listed.page,
        per_page: Rows,
      },
      { additionalProperties: false },
    ),
  },
  async ({ order_id, tracking_code, status, created_from, created_to, page, per_page = 10 }, caller) => {
    const query = {
      'filter[order_id]': order_id,
      'filter[tracking_code]': tracking_code,
      'filter[status]': status,
      'filter[created_from]': created_from,
      'filter[created_to]': created_to,
      page: page === undefined ? undefined : page,
      per_page,
    };
    const { data, meta } = await callFor(caller)(shipmentRoutes.list, { query });
    return { data: { shipments: data, meta } };
  },
);

/** The next step that a booking's state asks for. */
export function nextOf({ uuid, status, is_active }: Shipment): string | undefined {
  const again = `Ask parcel_story with uuid ${uuid} again in a minute.`;
  if (status.code === 'pending') return `The booking is under way. Do not repeat it. ${again}`;
  if (status.code === 'needs_attention') {
    return `Nobody knows yet whether the carrier has it. Do not repeat it: a person decides in the panel. ${again}`;
  }
  if (is_active) return undefined;
  return 'This parcel is over: cancelled, returned or lost. Ship the order again only where your user asks for it.';
}

export const parcelStory = defineTool(
  {
    name: 'parcel_story',
    title: "A parcel's story",
    description:
      'Says what became of a parcel: its status and every step. Also says what became of a booking whose outcome is ' +
      'unknown: by uuid, or by order_id with the type and attempt of the booking.',
    writes: false,
    hints: READS,
    input: Type.Object({ uuid: Type.Optional(ParcelUuid), ...OrderRef }, { additionalProperties: false }),
  },
  async ({ uuid, order_id, type = 1, attempt = 1 }, caller) => {
    if (uuid !== undefined) return await storyOf(uuid, caller);
    if (order_id === undefined) throw needed('uuid', 'order_id');
    const key = bookingKeyOf({ orderId: order_id, type, attempt });
    const booked = await findKey(caller.app.db, { accountId: caller.accountId, ...bookingRef(key, caller) });
    if (booked !== null) return await storyOf(booked.shipmentUuid, caller);
    const shipments = await parcelsOf(order_id, caller);
    if (shipments.length > 0) return { data: { outcome: 'not_booked_here', shipments } };
    const next =
      'No booking of this order has begun. If you have just booked it, ask again in a minute; then book_parcel with the ' +
      'same order and attempt is safe.';
    return { data: { outcome: 'not_booked', shipments }, next };
  },
);

/** Parcels of an order, also those booked elsewhere. */
async function parcelsOf(orderId: string, caller: ToolCaller): Promise<Shipment[]> {
  const pages = await Promise.all(
    ([undefined, 'pending', 'needs_attention'] as const).map(async (status) => {
      const query = { 'filter[order_id]': orderId, 'filter[status]': status, per_page: MOST_ROWS };
      return (await callFor(caller)(shipmentRoutes.list, { query })).data;
    }),
  );
  return pages.flat();
}

/** The story of a parcel, or why it was refused. */
export async function storyOf(uuid: string, caller: ToolCaller): Promise<ToolAnswer> {
  const call = callFor(caller);
  try {
    const { data: shipment } = await call(shipmentRoutes.show, { params: { uuid } });
    const { data: status } = await call(shipmentRoutes.status, { params: { uuid } });
    const next = nextOf(shipment);
    return { data: { shipment, history: status.history }, ...(next === undefined ? {} : { next }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'creation_refused') throw error;
    return { data: { outcome: 'refused', uuid, reason: error.message }, next: 'Nothing was booked.' };
  }
}

export const pickupPoints = defineTool(
  {
    name: 'pickup_points',
    title: 'Pickup points',
    description:
      "Lists the carrier's pickup points in a city, or near coordinates. Their id goes into ship_data.pickup.",
    writes: false,
    hints: READS,
    input: Type.Object(
      {
        license_id: LicenseId,
        city: points.city,
        latitude: points.latitude,
        longitude: points.longitude,
        limit: Rows,
      },
      { additionalProperties: false },
    ),
  },
  async ({ license_id, limit = 10, ...place }, caller) => {
    const license = await chooseLicense(caller, license_id);
    const query = { ...place, license_key: license.key, limit };
    const { data } = await callFor(caller)(pickupPointRoutes.list, { query });
    return { data: { license: license.shown, pickup_points: data } };
  },
);

/** Statuses that a person should look at, in this order. */
const TROUBLE = ['needs_attention', 'delivery_failed', 'returning', 'lost', 'pending'] as const;

export const needsAttention = defineTool(
  {
    name: 'needs_attention',
    title: 'What needs attention',
    description:
      'Lists the parcels that a person should look at: bookings of which nobody knows whether the carrier has them, ' +
      'failed deliveries, parcels on their way back or lost, and bookings still under way.',
    writes: false,
    hints: READS,
    input: Type.Object({ per_page: Rows }, { additionalProperties: false }),
  },
  async ({ per_page = 10 }, caller) => {
    const found = await Promise.all(
      TROUBLE.map(async (status) => {
        const query = { 'filter[status]': status, 'filter[active]': true, per_page };
        const { data, meta } = await callFor(caller)(shipmentRoutes.list, { query });
        return { code: status, total: meta.total, shipments: data };
      }),
    );
    return { data: { statuses: found.filter(({ total }) => total > 0) } };
  },
);

export const parcelLabel = defineTool(
  {
    name: 'parcel_label',
    title: "A parcel's label",
    description: 'Makes the label of a parcel on first use, and gives its address.',
    writes: false,
    // It notes that the label was made; a read-only key may do that in the API too.
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input: Type.Object({ uuid: ParcelUuid }, { additionalProperties: false }),
  },
  async ({ uuid }, caller) => {
    const { data } = await callFor(caller)(labelRoutes.show, { params: { uuid } });
    const { url, ...label } = data;
    return { data: label, next: `The label is at ${url}` };
  },
);
