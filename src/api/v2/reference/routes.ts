import { Type } from 'typebox';
import { listStatusNames } from '../../../db/queries/shipments/shipments.js';
import { defineRoute } from '../../route.js';
import { closedObject } from '../../schemas.js';
import { listAnswerOf } from '../schemas.js';

const TAG = 'Reference';

const statuses = defineRoute(
  {
    method: 'get',
    path: '/reference/shipping-statuses',
    operationId: 'listShippingStatuses',
    tag: TAG,
    summary: 'List the names of the shipping statuses',
    license: 'none',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any case.' })),
    }),
    responses: {
      200: listAnswerOf('The names in order.', Type.String(), 'The names in alphabetical order.', [
        'Delivered',
        'In transit',
      ]),
    },
  },
  async ({ app, query }) => ({
    status: 200,
    json: { data: await listStatusNames(app.db, query.search) },
  }),
);

const ServiceTypeSchema = closedObject('ServiceType', 'What a shipment is for.', {
  value: Type.String({ description: 'The value in `service_type`: `1` or `2`.' }),
  label: Type.String({ description: 'Its name.' }),
});

/** Service types that all carriers share. */
const SERVICE_TYPES = [
  { value: '1', label: 'Delivery' },
  { value: '2', label: 'Collection' },
];

const serviceTypes = defineRoute(
  {
    method: 'get',
    path: '/reference/service-types',
    operationId: 'listServiceTypes',
    tag: TAG,
    summary: 'List the service types',
    license: 'none',
    responses: {
      200: listAnswerOf(
        'The values of `service_type`.',
        ServiceTypeSchema,
        'Every service type.',
        SERVICE_TYPES,
      ),
    },
  },
  async () => ({ status: 200, json: { data: SERVICE_TYPES } }),
);

export const referenceRoutes = { statuses, serviceTypes };
