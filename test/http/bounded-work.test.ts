import test from 'ava';
import type { TSchema } from 'typebox';
import { parseJson } from '../../src/api/json-body.js';
import type { Route } from '../../src/api/route.js';
import { coerceInput } from '../../src/api/v1/coerce.js';
import { readInput } from '../../src/api/v1/input.js';
import { v1Routes } from '../../src/api/v1/routes.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { AppError } from '../../src/domain/errors.js';
import { compileOnUse } from '../../src/lib/schema.js';
import { startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const http = await startHttp();
test.after.always(() => http.close());

/** Every place in a schema that compares all pairs of an array's entries. */
function pairwise(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => pairwise(value, `${path}/${key}`));
  return Reflect.get(schema, 'uniqueItems') === true ? [path, ...inner] : inner;
}

test('no published schema compares the entries of an array with each other', (t) => {
  const v2 = v2Routes.flatMap(({ operationId, schemas, responses }) =>
    pairwise({ schemas, responses }, operationId),
  );
  const v1 = v1Routes.flatMap(({ operationId, input, responses }) =>
    pairwise({ input, responses }, operationId),
  );

  t.deepEqual([...v2, ...v1], []);
});

const MIB = 1024 * 1024;
/** Of this many bytes one MiB is made, which is the most that these routes take. */
function fill(text: string, separator = ','): string {
  return Array(Math.floor((MIB - 200) / (text.length + separator.length)))
    .fill(text)
    .join(separator);
}

function manyKeys(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"key${index}":1`).join(',')}}`;
}

function arrayOf(pieces: string): string {
  return `[${pieces}]`;
}

/** A quarter of a MiB, refused for its last character alone: an expression may read it again from each character. */
function refusedAtTheEnd(): Record<string, string> {
  const long = (text: string) => text.repeat(MIB / 4 / text.length);
  const texts = [
    `${long('a')}\u0001`,
    `${long(' ')}\u0001`,
    `${long('a ')}\u0001`,
    `${long('1')}x`,
    `2026-11-21T09:30:00.${long('1')}x`,
    `${long('a.')} `,
    `a@${long('a')} `,
    `a@${long('a.')} `,
    `a@a${long('-')}`,
  ];
  return Object.fromEntries(
    texts.map((text) => [`${text.slice(0, 25)}…${text.slice(-1)}`, JSON.stringify(text)]),
  );
}

/** Values that cost a validator most for their bytes: many wrong ones, many keys, one long text. */
const HEAVY: Record<string, string> = {
  'many numbers': arrayOf(Array.from({ length: 49_000 }, (_, index) => index).join(',')),
  'many empty objects': arrayOf(Array(49_000).fill('{}').join(',')),
  'many keys': manyKeys(49_000),
  'many objects of many keys': arrayOf(Array(49).fill(manyKeys(990)).join(',')),
  'one long text': `"${fill('a', '')}"`,
  'one long text of digits': `"${fill('1', '')}"`,
  'one long text of dots': `"a@${fill('a', '.').slice(0, MIB / 2)}"`,
  ...refusedAtTheEnd(),
};

/** How many times a plain parse of a MiB of small values the work may take: 40 on a busy machine, pairs 900. */
const MOST = 200;
const BASELINE = `[${fill('1')}]`;

function msOf(work: () => void): number {
  const at = performance.now();
  work();
  return performance.now() - at;
}

/** The machine is shared: the best of a few. */
function bestOf(times: number, work: () => void): number {
  return Math.min(...Array.from({ length: times }, () => msOf(work)));
}

/** A route's work on the bytes of a body before anything else. */
interface BodyCheck {
  name: string;
  schema: TSchema;
  read: (bytes: Buffer) => unknown;
}

const BODY_CHECKS: BodyCheck[] = [
  ...v2Routes
    .filter(({ method }) => method !== 'get' && method !== 'delete')
    .map(({ method, path, schemas }) => ({
      name: `${method.toUpperCase()} ${path}`,
      schema: schemas.body,
      read: (bytes: Buffer) => parseJson(bytes).value,
    })),
  ...v1Routes.map(({ method, path, input }) => ({
    name: `v1 ${method.toUpperCase()} ${path}`,
    schema: input,
    read: (bytes: Buffer) =>
      coerceInput(input, readInput('', { contentType: 'application/json', coding: '', bytes })),
  })),
];

for (const { name, schema, read } of BODY_CHECKS) {
  test.serial(`${name}: the worst bodies take no more than a few parses`, (t) => {
    const check = compileOnUse<unknown>(schema)();
    const bodies = fieldsOf(schema).flatMap((path) =>
      Object.entries(HEAVY).map(([what, text]): [string, string] => [
        `${what} in ${path.join('.')}`,
        nested(path, text),
      ]),
    );
    const baseline = bestOf(3, () => JSON.parse(BASELINE));

    for (const [what, text] of [...bodies, ...Object.entries(HEAVY)]) {
      const bytes = Buffer.from(text);
      const spent = msOf(() => {
        try {
          check(read(bytes));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      });

      t.true(
        spent < baseline * MOST,
        `${what}: ${spent.toFixed(1)} ms, a plain parse ${baseline.toFixed(1)} ms`,
      );
      t.true((check.errors ?? []).length < 1000, `${what}: ${check.errors?.length} errors`);
    }
  });
}

/** Paths of the fields that a body's schema names, two levels deep. */
function fieldsOf(schema: unknown, depth = 0): string[][] {
  const properties: unknown =
    typeof schema === 'object' && schema !== null && Reflect.get(schema, 'properties');
  if (typeof properties !== 'object' || properties === null || depth > 1) return [];
  return Object.entries(properties).flatMap(([name, inner]) => [
    [name],
    ...fieldsOf(inner, depth + 1).map((path) => [name, ...path]),
  ]);
}

function nested(path: readonly string[], text: string): string {
  return path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, text);
}

const routeOf = (operationId: string): Route => {
  const route = v2Routes.find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(operationId);
  return route;
};

test('a body of many wrong entries is refused with a bounded list', async (t) => {
  const account = await http.account();
  await http.license(account.id);

  const answer = await http.send('POST', '/shipments', {
    as: account,
    raw: `{"ship_data":{},"order":{"id":"1","items":${HEAVY['many empty objects']}}}`,
  });

  t.is(answer.status, 422);
  t.true(Object.keys(answer.body.error.fields).length <= 100);
  t.truthy(answer.body.error.fields['order.items.0.name']);
});

test('an ordinary body gets the errors of all wrong fields at once', async (t) => {
  const account = await http.account();
  await http.license(account.id);
  const items = Array.from({ length: 40 }, () => ({ name: 7, quantity: 0 }));

  const answer = await http.send('POST', '/shipments', {
    as: account,
    json: { ship_data: { type: 9 }, order: { items } },
  });

  const fields = Object.keys(answer.body.error.fields);
  for (const index of items.keys()) {
    t.true(fields.includes(`order.items.${index}.name`));
    t.true(fields.includes(`order.items.${index}.quantity`));
  }
  t.true(fields.includes('order.id'));
  t.true(fields.includes('ship_data.contact_name'));
});

test('POST /batches: a long key with many wrong texts is refused with a short answer', async (t) => {
  const account = await http.account();
  await http.license(account.id);
  const key = 'a'.repeat(8 * MIB);
  const texts = Array(20).fill('\0');

  const answer = await http.send('POST', '/batches', { as: account, json: { shipments: [], [key]: texts } });

  t.is(answer.status, 422);
  t.true(answer.text.length < 20_000, `${answer.text.length} bytes`);
  t.truthy(answer.body.error.fields[`${'a'.repeat(39)}…${'a'.repeat(39)}.0`]);
});

for (const [action, parameters] of [
  ['get_shipping_status', (code: string) => ({ shipping_id: code })],
  ['bulk-label', (code: string) => ({ shipping_codes: [code] })],
] as const) {
  test(`v1 ${action}: a code that is none is not sent back whole`, async (t) => {
    const { license } = await http.own();
    const code = 'a'.repeat(MIB / 2);

    const answer = await sendV1(http, 'POST', `/shipping/${action}`, {
      json: { license_key: license.key, domain: 'shop.example', ...parameters(code) },
    });

    t.is(answer.status, 404);
    t.true(answer.body.message.endsWith(`a…${'a'.repeat(127)}`), answer.body.message.slice(0, 400));
    t.true(answer.text.length < 1000);
  });
}

test('POST /shipments: an object of many members is refused by their number', async (t) => {
  const account = await http.account();
  await http.license(account.id);
  const members = Array.from({ length: 1001 }, (_, index): [string, number] => [`k${index}`, index]);

  const answer = await http.send('POST', '/shipments', {
    as: account,
    json: { order: { meta_data: Object.fromEntries(members) } },
  });

  t.is(answer.status, 413);
  t.is(answer.body.error.code, 'payload_too_large');
  t.is(answer.body.error.message, 'An object of the request body has more than 1000 members.');
});

for (const [operationId, method, path] of [
  ['replaceNotificationSettings', 'PUT', '/notifications/settings'],
  ['createWebhook', 'POST', '/webhooks'],
] as const) {
  test(`${method} ${path}: a MiB of small values is refused by its number`, async (t) => {
    const account = await http.account();
    await http.license(account.id);
    const events = Array.from({ length: 165_000 }, (_, index) => index);

    const answer = await http.send(method, path, { as: account, json: { enabled: true, events } });

    t.is(routeOf(operationId).path, path);
    t.is(answer.status, 413);
    t.is(answer.body.error.message, 'The request body holds more than 50000 values.');
  });
}

test('PUT /notifications/settings: an event that is named twice counts once', async (t) => {
  const account = await http.account();
  await http.license(account.id);

  const answer = await http.send('PUT', '/notifications/settings', {
    as: account,
    json: { enabled: true, events: ['shipment.created', 'shipment.created'] },
  });

  t.is(answer.status, 200);
  t.deepEqual(answer.body.data.events, ['shipment.created']);
});
