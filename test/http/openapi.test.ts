import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import test from 'ava';
import { buildOpenApi } from '../../src/api/openapi.js';
import { buildV1OpenApi } from '../../src/api/v1/openapi.js';
import { v1Routes } from '../../src/api/v1/routes.js';
import { createExample } from '../../src/api/v2/examples.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { fieldErrors } from '../../src/api/validation.js';
import { textsOf } from '../../src/domain/problems/problem.js';

const document = JSON.parse(JSON.stringify(buildOpenApi(v2Routes, SENT_EVENTS, '1.0.0')));

const v1Document = JSON.parse(JSON.stringify(buildV1OpenApi(v1Routes, '1.0.0')));

for (const [name, published] of [
  ['v2', document],
  ['v1', v1Document],
]) {
  test(`the document of ${name} lints clean`, async (t) => {
    t.deepEqual(await problemsOf(published), []);
  });
}

async function problemsOf(published: unknown): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(published));

  const run = promisify(execFile)(
    process.execPath,
    [
      resolve('node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      '--config',
      resolve('redocly.yaml'),
      '--format',
      'json',
      file,
    ],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );

  const { stdout } = await run;
  const result = JSON.parse(stdout.slice(stdout.indexOf('{')));
  await rm(folder, { recursive: true });
  return result.problems;
}

/** Beside those that Node knows: what TypeScript and browsers have, and a client could meet. */
const TAKEN_NAMES =
  'Array Record Partial Required Readonly Pick Omit Exclude Extract Parameters Awaited Document Element Node Text Range Location History Notification Comment Selection Option Image Attr';

for (const [name, published] of [
  ['v2', document],
  ['v1', v1Document],
]) {
  test(`the document of ${name} loses nothing in generated clients`, (t) => {
    const taken = new Set([...Object.getOwnPropertyNames(globalThis), ...TAKEN_NAMES.split(' ')]);
    const mixed: string[] = [];
    JSON.stringify(published, (_key, value) => {
      const types = new Set([value?.enum ?? []].flat().map((one: unknown) => one !== null && typeof one));
      types.delete(false);
      if (types.size > 1) mixed.push(JSON.stringify(value.enum));
      return value;
    });

    t.deepEqual(
      Object.keys(published.components.schemas).filter((schema) => taken.has(schema)),
      [],
    );
    t.deepEqual(mixed, []);
  });
}

/** Every schema of a document, with where it is. */
function schemasOf(part: any, path = ''): [string, any][] {
  if (typeof part !== 'object' || part === null || /\/examples?$/.test(path)) return [];
  const own: [string, any][] = [[path, part]];
  return own.concat(Object.entries(part).flatMap(([key, one]) => schemasOf(one, `${path}/${key}`)));
}

const nulls = (schema: any) => (schema.anyOf ?? schema.oneOf ?? []).some((one: any) => one.type === 'null');
const isNullEnum = (schema: any) => Array.isArray(schema.enum) && schema.enum.includes(null);
const isMap = (schema: any) => typeof schema.additionalProperties === 'object';

/** Schemas that break a client, as `npm run clients` has shown: how it is written, and what came of it. */
const BREAKS: Record<string, (schema: any) => boolean> = {
  'two types in a list: oapi-codegen and ogen refuse the document': (schema) =>
    Array.isArray(schema.type) && schema.type.filter((type: string) => type !== 'null').length > 1,
  'alternatives beside properties: openapi-generator loses the fields': (schema) =>
    typeof schema.properties === 'object' && schema.type === 'object' && 'anyOf' in schema,
  'any fields in a list of types: openapi-generator, Java, does not compile': (schema) =>
    Array.isArray(schema.type) && 'additionalProperties' in schema,
  'an object of no fields or null: openapi-typescript takes none': (schema) =>
    Array.isArray(schema.type) && schema.type.includes('object') && schema.properties === undefined,
  'any fields or null, without a model: openapi-generator, Python, raises, and Java does not compile': (
    schema,
  ) => nulls(schema) && (schema.anyOf ?? schema.oneOf).some((one: any) => 'additionalProperties' in one),
  'a default beside null in an enum: openapi-generator, Go, does not compile': (schema) =>
    isNullEnum(schema) && 'default' in schema,
  'null or a model, required: openapi-generator, Java, throws at the null': (schema) =>
    Array.isArray(schema.required) &&
    schema.required.some((name: string) => {
      const property = schema.properties?.[name] ?? {};
      return nulls(property) || isNullEnum(property);
    }),
  'items of no kind: openapi-generator, Python, raises': (schema) => schema.items?.not !== undefined,
  'null as alternative to a text: openapi-generator, Python, raises': (schema) =>
    schema.anyOf?.length === 2 &&
    nulls(schema) &&
    ['string', 'integer', 'array'].includes(schema.anyOf[0].type),
  'a flag with one value: openapi-generator, Java, does not compile': (schema) =>
    schema.type === 'boolean' && 'const' in schema,
  'a map or a list: openapi-generator, Java, does not compile': (schema) =>
    Array.isArray(schema.anyOf) && schema.anyOf.some(isMap),
  'objects that are alike: ogen refuses the document': (schema) =>
    Array.isArray(schema.anyOf) && schema.anyOf.filter((one: any) => one.properties).length > 1,
};

for (const [name, published] of [
  ['v2', document],
  ['v1', v1Document],
]) {
  test(`the document of ${name} has no form that breaks a generated client`, (t) => {
    const schemas = schemasOf(published);

    const broken = Object.entries(BREAKS).flatMap(([what, breaks]) =>
      schemas.filter(([, schema]) => breaks(schema)).map(([path]) => `${what}: ${path}`),
    );

    t.true(schemas.length > 1000);
    t.deepEqual(broken, []);
  });
}

test('the document: what webhooks send has another tag than the operations, and only models that paths lead to', (t) => {
  const sent = JSON.stringify(document.webhooks);
  const others = JSON.stringify({ paths: document.paths, schemas: document.components.schemas });

  const sentTags = [...sent.matchAll(/"tags":\["([^"]+)"\]/g)].map(([, tag]) => tag);
  const models = [...sent.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, model]) => model);

  t.deepEqual([...new Set(sentTags)], ['Webhook events']);
  t.false(others.includes('"tags":["Webhook events"]'));
  t.deepEqual(
    models.filter((model) => !others.includes(`"#/components/schemas/${model}"`)),
    [],
  );
});

test('the document: a uuid in a path is one, as in answers', (t) => {
  const named = Object.values<any>(document.paths)
    .flatMap((methods) => Object.values<any>(methods))
    .flatMap((operation) => operation.parameters.filter((one: any) => one.in === 'path'))
    .filter(({ schema }: any) => /^019[0-9a-f]{5}-/.test(schema.examples?.[0] ?? ''));

  t.true(named.length > 10);
  t.deepEqual(
    named.filter(({ schema }: any) => schema.format !== 'uuid'),
    [],
  );
});

test('the document: items of a batch are bodies of creations, in both forms', (t) => {
  const { oneOf } = document.components.schemas.CreateBatch;
  const item = { $ref: '#/components/schemas/CreateShipment' };

  t.deepEqual(
    oneOf.map(({ type, items, properties }: any) => [type, items ?? properties.shipments.items]),
    [
      ['object', item],
      ['array', item],
    ],
  );
});

test('the document of v1 names every mounted route and no other', (t) => {
  const published = Object.entries(v1Document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method} ${path}`),
  );

  t.deepEqual(published.sort(), v1Routes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('the document names every mounted route and no other', (t) => {
  const published = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => `${method} ${path}`),
  );

  t.deepEqual(published.sort(), v2Routes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('operation ids are unique, and every operation lists its errors', (t) => {
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Record<string, any>),
  );

  t.is(new Set(operations.map((operation) => operation.operationId)).size, v2Routes.length);
  for (const operation of operations) t.truthy(operation.responses[500], operation.operationId);
  for (const operation of operations) t.is(operation.tags.length, 1);
});

test('every example matches its schema', (t) => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'doc', ...document });
  const local = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods as Record<string, any>)) {
      const contents = [operation.requestBody, ...Object.values<any>(operation.responses)].map(
        (each) => each?.content?.['application/json'],
      );
      for (const content of contents.filter((each) => each !== undefined)) {
        const examples =
          content.examples === undefined
            ? [content.example]
            : Object.values<any>(content.examples).map((each) => each.value);
        for (const example of examples)
          t.true(
            ajv.validate(local(content.schema), example),
            `${operation.operationId}: ${ajv.errorsText()}`,
          );
      }
    }
  }
});

test('the document says what is refused beside the type', (t) => {
  const parameter = (path: string, name: string) =>
    document.paths[path].get.parameters.find((one: { name?: string }) => one.name === name).schema;
  const moment = new RegExp(parameter('/shipments', 'filter[created_from]').pattern);
  const key = new RegExp(document.components.parameters.IdempotencyKey.schema.pattern);
  const [text, amount] = document.components.schemas.ShipData.properties.cod_amount.anyOf;

  t.is(parameter('/shipments', 'filter[created_to]').pattern, moment.source);
  for (const text of [
    '2026-11-22',
    '2026-11-22T10:00:00.123456Z',
    '2026-11-22T10:00+02:00',
    '2026-11-22T10:00:00+0200',
  ])
    t.regex(text, moment);
  for (const text of ['', 'yesterday', '0999-01-01', '2026-11-22T10:00:00']) t.notRegex(text, moment);
  t.regex('"a-1"', key);
  for (const text of ['', 'a b', 'é']) t.notRegex(text, key);
  t.is(amount.minimum, 0);
  t.notRegex('-1', new RegExp(text.pattern));
  t.regex(document.info.description, /\/docs\/guides\/limits/);
  t.regex(readFileSync('docs/guides/limits.md', 'utf8'), /__proto__/);
});

test('the document says what the code checks beside the schemas', (t) => {
  const { schemas } = document.components;
  const accepts = (name: string) => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    return ajv.compile({ $ref: `#/components/schemas/${name}`, components: { schemas } });
  };
  const item = createExample;

  const batch = accepts('CreateBatch');

  t.deepEqual(
    [[], {}, [item], { shipments: [item] }, [{}], { shipments: [{ ...item, order: null }] }].map((body) =>
      batch(body),
    ),
    [false, false, true, true, false, false],
  );
  t.false(JSON.stringify(document).includes('x-published'));
});

for (const [name, published] of [
  ['v2', document],
  ['v1', v1Document],
]) {
  test(`every field and parameter of ${name} is described`, (t) => {
    const described = (schema: any): boolean => {
      const named = schema.$ref?.startsWith('#/components/schemas/')
        ? schema.$ref.split('/').at(-1)
        : undefined;
      const whole = named === undefined ? schema : published.components.schemas[named];
      return typeof whole.description === 'string' && /[.)]$/.test(whole.description);
    };

    t.deepEqual(
      fieldsOf(published, name as string)
        .filter(([, schema]) => !described(schema))
        .map(([path]) => path),
      [],
    );
  });
}

/** Every property and parameter of the document, with where it is. */
function fieldsOf(node: unknown, path: string): [string, any][] {
  if (Array.isArray(node)) return node.flatMap((part, index) => fieldsOf(part, `${path}/${index}`));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]): [string, any][] => {
    if (key === 'example' || key === 'examples') return [];
    const isMap = key === 'properties' && !path.endsWith('/properties');
    const own = isMap
      ? Object.entries(value).map(([name, schema]): [string, any] => [`${path}.${name}`, schema])
      : key === 'parameters' && Array.isArray(value)
        ? value
            .filter((one) => one.$ref === undefined)
            .map((one): [string, any] => [`${path} ${one.name}`, one])
        : [];
    return [...own, ...fieldsOf(value, `${path}/${key}`)];
  });
}

test('numbers that stand for words, and lists of values, are explained', (t) => {
  const { ShipData, Shipment, Status } = document.components.schemas;

  for (const { description } of [ShipData.properties.type, ShipData.properties.return])
    t.regex(description, /^1: .+ 2: /);
  t.regex(Shipment.properties.service_type.description, /`1`: .+ `2`: /);
  for (const code of Status.properties.code.enum) {
    t.true(Status.properties.code.description.includes(`\`${code}\`: `), code);
  }
});

test('the example of a validation failure is what the route says of such an input', (t) => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const messages = (path: string, method: string) =>
    document.paths[path][method].responses[422].content['application/json'].examples.validation_failed.value
      .error;
  const { body } = v2Routes.find(({ operationId }) => operationId === 'createShipment')?.schemas ?? {};
  const check = ajv.compile(body ?? {});

  check({ ship_data: { contact_phone: '1', type: 1, return: 1 }, order: { id: '1' } });
  t.deepEqual(messages('/shipments', 'post').fields, textsOf(fieldErrors(check.errors)));
  t.deepEqual(Object.keys(messages('/orders', 'get').fields), ['per_page']);
  t.deepEqual(Object.keys(messages('/webhooks', 'get').fields), ['license_key']);
});

test('no example of an error names a field that the route does not take', (t) => {
  for (const route of v2Routes) {
    const { responses } = document.paths[route.path][route.method];
    const error = responses[422]?.content['application/json'].examples.validation_failed?.value.error;
    const [field = ''] = Object.keys(error?.fields ?? {});
    const taken = [route.schemas.query, route.schemas.body].flatMap((schema) =>
      Object.keys(Reflect.get(schema, 'properties') ?? {}),
    );
    const isTaken =
      error === undefined || taken.some((name) => field === name || field.startsWith(`${name}.`));
    t.true(isTaken || field === 'note', `${route.operationId}: ${field}`);
  }
});
