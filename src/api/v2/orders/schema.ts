import { type Static, Type } from 'typebox';
import { closedObject, licenseKeyQuery, passedThrough, perPageQuery, Timestamp } from '../schemas.js';
import { ShipmentSchema } from '../shipments/schema.js';

const orderFields = {
  id: Type.Integer({ description: 'Internal id, not used in paths.' }),
  order_id: Type.String({ description: "The store's own order id; paths use it." }),
  number: Type.String(),
  source: Type.String(),
  total: Type.String({ description: 'Decimal.' }),
  currency: Type.String(),
  billing: passedThrough({ description: 'As stored.' }),
  shipping: passedThrough({ description: 'As stored.' }),
};
const stamps = { created_at: Timestamp, updated_at: Timestamp };

/** An order in a list. */
export const OrderSchema = closedObject('Order', { ...orderFields, ...stamps });
export type Order = Static<typeof OrderSchema>;

/** An order by itself, with its shipments, newest first. */
export const OrderWithShipmentsSchema = closedObject('OrderWithShipments', {
  ...orderFields,
  shipments: Type.Array(ShipmentSchema),
  ...stamps,
});
export type OrderWithShipments = Static<typeof OrderWithShipmentsSchema>;

/** Query of the list. */
export const ListOrdersQuery = Type.Object({
  license_key: licenseKeyQuery,
  per_page: perPageQuery,
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`meta.next_cursor` or `meta.prev_cursor` of a page.' }),
  ),
});

/** Query of the routes of one order. */
export const OrderQuery = Type.Object({ license_key: licenseKeyQuery });

/** Path parameter of one order. */
export const OrderParams = Type.Object({
  order: Type.String({ description: "The store's own order id.", examples: ['1001'] }),
});
