import { type Static, Type } from 'typebox';
import {
  CreatedAt,
  closedObject,
  licenseKeyQuery,
  passedThrough,
  perPageQuery,
  UpdatedAt,
} from '../schemas.js';
import { ShipmentSchema } from '../shipments/schema.js';

const orderFields = {
  id: Type.Integer({ description: 'Internal id, not used in paths.' }),
  order_id: Type.String({ description: "The store's own order id; paths use it." }),
  number: Type.String({ description: 'The order number for people.' }),
  source: Type.String({ description: "The order's source, as sent by the store." }),
  total: Type.String({ description: 'Total of the order as decimal text.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  billing: passedThrough({ description: 'As the store sent it; keys vary.' }),
  shipping: passedThrough({ description: 'As the store sent it; keys vary.' }),
};
const stamps = { created_at: CreatedAt, updated_at: UpdatedAt };

export const OrderSchema = closedObject('Order', 'An order of the store.', { ...orderFields, ...stamps });
export type Order = Static<typeof OrderSchema>;

export const OrderWithShipmentsSchema = closedObject(
  'OrderWithShipments',
  'An order of the store with its shipments.',
  {
    ...orderFields,
    shipments: Type.Array(ShipmentSchema, { description: 'Its shipments, newest first.' }),
    ...stamps,
  },
);
export type OrderWithShipments = Static<typeof OrderWithShipmentsSchema>;

export const ListOrdersQuery = Type.Object({
  license_key: licenseKeyQuery,
  per_page: perPageQuery,
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`meta.next_cursor` or `meta.prev_cursor` of a page.' }),
  ),
});

export const OrderQuery = Type.Object({ license_key: licenseKeyQuery });

export const OrderParams = Type.Object({
  order: Type.String({ description: "The store's own order id.", examples: ['1001'] }),
});
