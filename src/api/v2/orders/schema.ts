import { type Static, Type } from 'typebox';
import { closedObject, passedThrough, stamps } from '../../schemas.js';
import { ShipmentSchema } from '../shipments/schema.js';

const orderFields = {
  id: Type.Integer({ description: 'Internal id, not used in paths.' }),
  order_id: Type.String({ description: "The store's own order id; paths use it." }),
  number: Type.String({ description: 'The order number for people.' }),
  source: Type.String({ description: "The order's source, as sent by the store." }),
  total: Type.String({ description: 'Total of the order as decimal text.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  billing: passedThrough('As the store sent it; keys vary.'),
  shipping: passedThrough('As the store sent it; keys vary.'),
};

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

export const OrderParams = Type.Object({
  order: Type.String({ description: "The store's own order id.", examples: ['1001'] }),
});
