import { randomInt } from 'node:crypto';
import test from 'ava';
import type { V1Route } from '../../../src/api/v1/route.js';
import { v1Routes } from '../../../src/api/v1/routes.js';
import type { Creation } from '../../../src/contracts/create-shipment.js';
import { seededRandom } from '../../faults/seeded-random.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { patient } from '../../support/patience.js';
import { sendRawGet } from '../../support/raw-get.js';
import { type Schema, SchemaFuzzer } from '../../support/schema-fuzzer.js';
import { query, recipientToken, sendV1, setAppSecret, userToken } from '../../support/v1.js';

/** Requests of each route; `FUZZ_ROUNDS` asks for more. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 60);
const SECRET = 'the-app-secret';

let stack: HttpStack;
let headers: Record<string, string>;
/** Valid values of fields that every request needs to get far. */
let known: Record<string, unknown>;

test.before(async () => {
  // The creation is not looked at here; other tests cover the engine's side.
  const body = JSON.stringify({ shipping_id: 1, code: 'T1', shipping_type: 'Regular delivery' });
  stack = await startHttp({
    runs: () => ({
      createShipment: async ({ idempotency: { fingerprint }, requestId }: Creation) => {
        const answer = { status: 200, body, shipmentUuid: '', replayed: false };
        return { ...answer, fingerprint, requestId };
      },
    }),
  });
  await setAppSecret(stack, SECRET);
  const { account, license } = await stack.own();
  const { bearer, phone } = await recipientToken(stack);
  headers = { 'x-app-secret': SECRET, ...bearer };
  known = {
    license_key: license.key,
    domain: 'shop.test',
    token: await userToken(stack, account.id),
    phone_number: phone,
    device_name: 'Pixel',
    name: 'Dana',
    ship_data: { contact_name: 'Dana Levi', street: 'Herzl', number: '5', city: 'Haifa' },
    order: { id: 'order-1', status: 'processing', billing: { phone: '0501234567' } },
    order_items: [{ name: 'Mug', quantity: 1, total: 10 }],
  };
});
test.after.always(() => stack?.close());

/** The schemas check every answer in the server; here statuses are looked at. */
function isDocumented(route: V1Route, status: number): boolean {
  return Object.hasOwn(route.responses, status);
}

/** 500 is documented for the app's failures, in their own shape only. */
function isBug(status: number, text: string): boolean {
  return status >= 500 && !text.includes('"success":false');
}

function send(route: V1Route, raw: string | Buffer, search = '') {
  const url = `${stack.url}/api${route.path.replaceAll(/\{\w+\}/g, 'T1')}${search}`;
  const all = { accept: 'application/json', ...headers };
  if (route.method === 'get') return sendRawGet(url, { ...all, 'content-type': 'application/json' }, raw);
  return sendV1(stack, 'POST', new URL(url).pathname.replace('/api', '') + search, { raw, headers: all });
}

const WRONG: unknown[] = [
  null,
  '',
  '   ',
  0,
  -1,
  1.5,
  1e308,
  2 ** 60,
  true,
  false,
  [],
  [[]],
  ['a'],
  {},
  { a: { b: [1] } },
  '\0',
  '%_\\',
  "'; DROP TABLE users; --",
  '\u202e\ufeff',
  '😀'.repeat(300),
  'x'.repeat(70_000),
  `${'['.repeat(500)}`,
  nested(60),
  { __proto__: null, constructor: { prototype: { x: 1 } } },
];

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

for (const route of v1Routes) {
  const name = `${route.method.toUpperCase()} ${route.path}`;

  test(`${name}: wrong types in every field meet documented answers only`, async (t) => {
    const fields = Object.keys((route.input as Schema).properties);
    const failures: string[] = [];
    for (const field of ['unknown', ...fields]) {
      for (const value of WRONG) {
        const raw = JSON.stringify({ ...known, [field]: value });
        const { status, text } = await send(route, raw);
        if (!isDocumented(route, status) || isBug(status, text))
          failures.push(`${field}=${JSON.stringify(value)?.slice(0, 40)}: ${status} ${text.slice(0, 200)}`);
      }
    }

    t.deepEqual(failures, []);
  });

  // One at a time: the time of a request counts, not that of all the others' in the process.
  test.serial(`${name}: bodies that are no object of JSON meet documented answers only`, async (t) => {
    const bodies: (string | Buffer)[] = [
      '',
      'null',
      '1',
      '"x"',
      '[]',
      '[1,2]',
      '{',
      '{"a":}',
      '{"__proto__":{"license_key":"x"}}',
      `{"a":1,"a":2}`,
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.alloc(1000),
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      '['.repeat(400_000),
      `"${' '.repeat(900_000)}x"`,
      JSON.stringify({ ...known, order_items: Array.from({ length: 400_000 }, () => 0) }),
      JSON.stringify({ ...known, domain: `${' '.repeat(900_000)}x` }),
    ];
    const failures: string[] = [];
    for (const body of bodies) {
      const started = performance.now();
      const { status, text } = await send(route, body);
      const took = performance.now() - started;
      if (!isDocumented(route, status) || isBug(status, text) || took > patient(15_000))
        failures.push(`${body.toString('latin1').slice(0, 40)}: ${status} ${text.slice(0, 200)} ${took} ms`);
    }

    t.deepEqual(failures, []);
  });

  test(`${name}: a body of 10 MB is refused`, async (t) => {
    const outcome = await send(route, Buffer.alloc(10 * 1024 * 1024, ' ')).then(
      ({ status }) => status,
      // The server may close while the client still writes.
      () => 413,
    );

    t.is(outcome, 413);
  });

  test(`${name}: queries of any shape meet documented answers only`, async (t) => {
    const queries = [
      '?',
      '?=',
      '?a',
      '?[]=1',
      '?a[=1&a]=2&[b]=3',
      '?license_key[a][b][c]=1',
      `?${'a'.repeat(4000)}=1`,
      `?a${'[b]'.repeat(1000)}=1`,
      `?${Array.from({ length: 1500 }, (_, n) => `x[]=${n % 10}`).join('&')}`,
      '?license_key=%FF%FE&domain=%00',
      '?license_key=%E0%A4%A',
      '?__proto__=1&__proto__[x]=1&a[__proto__][x]=1&constructor=1',
    ];
    const failures: string[] = [];
    for (const search of queries) {
      const { status, text } = await send(route, '', search);
      if (!isDocumented(route, status) || isBug(status, text))
        failures.push(`${search.slice(0, 40)}: ${status} ${text.slice(0, 200)}`);
    }

    t.deepEqual(failures, []);
  });

  test(`${name}: requests made from its schema meet documented answers only`, async (t) => {
    const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
    t.log(`seed ${seed}: run it again with FUZZ_SEED=${seed}`);
    const fuzzer = new SchemaFuzzer(seededRandom(seed), {}, {});
    const schema: Schema = JSON.parse(JSON.stringify(route.input));
    const failures: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const made = fuzzer.value(schema) as Record<string, unknown>;
      // Nested fields are made from the schema half of the time, credentials rarely.
      const kept = Object.entries(known).filter(
        ([, value]) => !fuzzer.oneIn(typeof value === 'object' ? 2 : 6),
      );
      const raw = JSON.stringify({ ...made, ...Object.fromEntries(kept) });
      const { status, text } = await send(route, raw);
      if (!isDocumented(route, status) || isBug(status, text))
        failures.push(`${raw.slice(0, 300)}: ${status} ${text.slice(0, 200)}`);
    }

    t.deepEqual(failures, []);
  });
}

test('a prototype cannot be reached', async (t) => {
  await sendV1(
    stack,
    'GET',
    `/license/check_license${query({ license_key: 'x', domain: 'y' })}&__proto__[polluted]=1`,
  );

  t.is(Reflect.get({}, 'polluted'), undefined);
});
