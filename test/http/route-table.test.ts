import { readFile } from 'node:fs/promises';
import test from 'ava';
import { v2Routes } from '../../src/api/v2/routes.js';
import { compileOnUse } from '../../src/lib/schema.js';

/** Every v2 route of the published contract, and the test files that cover it. */
const COVERED_BY: Readonly<Record<string, readonly string[]>> = {
  'GET /ping': ['http/v2.test.ts'],
  'GET /account': ['http/v2.test.ts'],
  'GET /licenses': ['http/v2.test.ts'],
  'GET /shipments': ['http/v2.test.ts'],
  'POST /shipments': [
    'http/creation.test.ts',
    'http/validation.test.ts',
    'http/dry-run.test.ts',
    'workflows/dry-run.test.ts',
  ],
  'POST /shipments/dry-run': ['http/dry-run.test.ts', 'workflows/dry-run.test.ts'],
  'GET /shipments/{}': ['http/v2.test.ts'],
  'GET /shipments/{}/status': ['http/v2.test.ts', 'workflows/poll-carrier.test.ts'],
  'POST /shipments/{}/status': ['http/set-status.test.ts'],
  'POST /shipments/{}/cancel': ['http/v2.test.ts', 'workflows/cancel-shipment.test.ts'],
  'GET /shipments/{}/label': ['http/labels.test.ts'],
  'POST /shipments/labels': ['http/labels.test.ts'],
  'GET /orders': ['http/v2.test.ts'],
  'GET /orders/{}': ['http/v2.test.ts'],
  'GET /orders/{}/shipments': ['http/v2.test.ts'],
  'GET /exports': ['http/exports.test.ts'],
  'POST /exports': ['http/exports.test.ts'],
  'GET /exports/{}': ['http/exports.test.ts'],
  'GET /batches': ['http/batches.test.ts'],
  'POST /batches': ['http/batches.test.ts'],
  'GET /batches/{}': ['http/batches.test.ts'],
  'GET /batches/{}/items': ['http/batches.test.ts'],
  'POST /batches/{}/retry': ['http/batches.test.ts'],
  'POST /batches/{}/cancel': ['http/batches.test.ts'],
  'GET /webhooks': ['http/webhooks.test.ts'],
  'POST /webhooks': ['http/webhooks.test.ts'],
  'GET /webhooks/{}': ['http/webhooks.test.ts'],
  'PATCH /webhooks/{}': ['http/webhooks.test.ts'],
  'DELETE /webhooks/{}': ['http/webhooks.test.ts'],
  'POST /webhooks/{}/ping': ['http/webhooks.test.ts'],
  'POST /webhooks/{}/rotate-secret': ['http/webhooks.test.ts'],
  'GET /webhooks/{}/deliveries': ['http/webhooks.test.ts'],
  'GET /webhooks/{}/deliveries/{}': ['http/webhooks.test.ts'],
  'POST /webhooks/{}/deliveries/{}/redeliver': ['http/webhooks.test.ts'],
  'POST /webhooks/{}/replay': ['http/webhooks.test.ts'],
  'GET /notifications/settings': ['http/notifications.test.ts'],
  'PUT /notifications/settings': ['http/notifications.test.ts'],
  'GET /notifications/templates': ['http/notifications.test.ts'],
  'POST /notifications/templates': ['http/notifications.test.ts'],
  'GET /notifications/templates/{}': ['http/notifications.test.ts'],
  'PATCH /notifications/templates/{}': ['http/notifications.test.ts'],
  'DELETE /notifications/templates/{}': ['http/notifications.test.ts'],
  'POST /notifications/templates/{}/preview': ['http/notifications.test.ts'],
  'GET /notifications/logs': ['http/notifications.test.ts'],
  'GET /pickup-points': ['http/pickup-points.test.ts', 'workflows/refresh-pickup-points.test.ts'],
  'GET /tracking/{}': ['http/tracking.test.ts'],
  'GET /reference/shipping-statuses': ['http/v2.test.ts'],
  'GET /reference/service-types': ['http/v2.test.ts'],
};

const mounted = v2Routes.map(({ method, path, operationId }) => ({
  key: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  operationId,
}));

test('the mounted routes are those of the contract, each with its tests', (t) => {
  t.deepEqual(mounted.map(({ key }) => key).sort(), Object.keys(COVERED_BY).sort());
});

for (const { key, operationId } of mounted) {
  test(`${key} is asked for by its tests`, async (t) => {
    const files = COVERED_BY[key] ?? [];

    for (const file of files) {
      const source = await readFile(new URL(`../../../test/${file}`, import.meta.url), 'utf8');
      t.true(names(source, key, operationId), `${file} names neither ${operationId} nor ${key}`);
    }

    t.true(files.length > 0);
  });
}

/** Whether the text has the operation's id, or the method and every fixed segment of the path. */
function names(source: string, key: string, operationId: string): boolean {
  if (source.includes(operationId)) return true;
  const [method = '', path = ''] = key.split(' ');
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '{}');
  const sends = source.includes(`'${method}'`) || new RegExp(`\\b${method.toLowerCase()}\\(`).test(source);
  return sends && segments.every((segment) => source.includes(segment));
}

test('every schema of every route compiles, and takes the example that is published beside it', (t) => {
  for (const { operationId, schemas, bodyExample, responses } of v2Routes) {
    for (const schema of [schemas.params, schemas.query]) t.notThrows(compileOnUse(schema), operationId);
    const bodyCheck = compileOnUse(schemas.body)();
    if (bodyExample !== undefined) t.true(bodyCheck(bodyExample), `${operationId}: body`);
    for (const [status, { schema, example }] of Object.entries(responses)) {
      if (schema === undefined) continue;
      const check = compileOnUse(schema)();
      if (example !== undefined)
        t.true(check(example), `${operationId} ${status}: ${check.errors?.[0]?.instancePath}`);
    }
  }
});
