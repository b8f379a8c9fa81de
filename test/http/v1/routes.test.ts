import test from 'ava';
import type { TSchema } from 'typebox';
import { v1Routes } from '../../../src/api/v1/routes.js';
import { v2Routes } from '../../../src/api/v2/routes.js';
import { compileOnUse } from '../../../src/lib/schema.js';

test('every schema of every route compiles, and takes the example that is published beside it', (t) => {
  for (const { operationId, input, inputExample, responses } of v1Routes) {
    const check = compileOnUse(input)();
    if (inputExample !== undefined) t.true(check(inputExample), `${operationId}: input`);
    for (const [status, { schema, example }] of Object.entries(responses)) {
      if (schema === undefined) continue;
      const checkAnswer = compileOnUse(schema)();
      t.true(example === undefined || checkAnswer(example), `${operationId} ${status}`);
    }
  }
});

test('every body has an example', (t) => {
  const without = v1Routes.filter(
    ({ method, inputExample }) => method === 'post' && inputExample === undefined,
  );

  t.deepEqual(
    without.map(({ operationId }) => operationId),
    [],
  );
});

test('operation ids, and methods with paths, are unique', (t) => {
  const ids = v1Routes.map(({ operationId }) => operationId);
  const paths = v1Routes.map(({ method, path }) => `${method} ${path}`);

  t.is(new Set(ids).size, v1Routes.length);
  t.is(new Set(paths).size, v1Routes.length);
});

test('every parameter that is not told by its name alone has a description', (t) => {
  const plain = new Set(['per_page', 'page', 'flag', 'active_only', 'label_generated']);
  for (const { operationId, input } of v1Routes) {
    const properties: Record<string, TSchema> = Reflect.get(input, 'properties');
    for (const [name, schema] of Object.entries(properties)) {
      if (plain.has(name) || ['object', 'array'].includes(String(Reflect.get(schema, 'type')))) continue;
      t.is(typeof Reflect.get(schema, 'description'), 'string', `${operationId}: ${name}`);
    }
  }
});

test('the shipping group is normalised and kept; routes that answer with tokens are not', (t) => {
  for (const { operationId, path, guard, normalised, responses } of v1Routes) {
    const isShipping = path.startsWith('/shipping/') && guard === 'license' && !path.includes('{');
    t.is(normalised ?? false, isShipping, operationId);
    if (JSON.stringify(responses).includes('"token"')) t.falsy(normalised, operationId);
  }
});

test('methods and paths are those of the contract, with one path parameter in all', (t) => {
  const found = v1Routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

  t.deepEqual(found.toSorted(), [
    'GET /get_app_user',
    'GET /license/activate_license',
    'GET /license/check_license',
    'GET /shipping/create_shipping_promise',
    'GET /shipping/get_express_delivery_enabled',
    'GET /shipping/get_express_delivery_status',
    'GET /shipping/phone_number',
    'GET /shipping/same_day_delivery_quote',
    'GET /shipping/user-by-license',
    'POST /create_app_user',
    'POST /licenses',
    'POST /shipping/bulk-label',
    'POST /shipping/change_order_status',
    'POST /shipping/get_order_details',
    'POST /shipping/get_shipping_status',
    'POST /shipping/label',
    'POST /shipping/open_new_order',
    'POST /shipping/order',
    'POST /shipping/order-label',
    'POST /shipping/pickup_locations',
    'POST /shipping/{shipment}/status',
  ]);
});

const SUCCESSORS: Readonly<Record<string, string | null>> = {
  openNewOrder: 'POST /shipments',
  getOrderDetails: 'GET /shipments/{uuid}',
  getShippingStatus: 'GET /shipments/{uuid}/status',
  shipmentStatus: 'GET /shipments/{uuid}/status',
  changeOrderStatus: 'POST /shipments/{uuid}/cancel',
  listOrderShipments: 'GET /orders/{order}/shipments',
  getLabel: 'GET /shipments/{uuid}/label',
  getBulkLabel: 'POST /shipments/labels',
  getOrderLabels: 'GET /orders/{order}/shipments',
  pickupLocations: 'GET /pickup-points',
  getUserByLicense: 'GET /account',
  checkLicense: 'GET /licenses',
  listLicenses: 'GET /licenses',
  activateLicense: null,
  sameDayDeliveryQuote: null,
  createShippingPromise: null,
  getExpressDeliveryEnabled: null,
  getExpressDeliveryStatus: null,
  getAppUser: null,
  createAppUser: null,
  listShipmentsByPhone: null,
};

test('every route has the successor in v2 that the contract names, or none', (t) => {
  const published = new Set(v2Routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`));

  t.deepEqual(Object.keys(SUCCESSORS).toSorted(), v1Routes.map(({ operationId }) => operationId).toSorted());
  for (const successor of Object.values(SUCCESSORS)) {
    t.true(successor === null || published.has(successor), String(successor));
  }
});
