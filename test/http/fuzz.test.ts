import { randomInt } from 'node:crypto';
import test from 'ava';
import { buildOpenApi } from '../../src/api/openapi.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { type Random, seededRandom } from '../faults/seeded-random.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { type Schema, SchemaFuzzer } from '../support/schema-fuzzer.js';
import { startStack, type TestStack } from '../support/stack.js';

/** Requests of each operation; `FUZZ_ROUNDS` asks for more. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 12);
const AT_ONCE = 6;

const document: Schema = JSON.parse(JSON.stringify(buildOpenApi(v2Routes, SENT_EVENTS, 'test')));

interface Operation {
  method: string;
  path: string;
  spec: Schema;
}

interface FuzzRequest {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const operations: Operation[] = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Schema>(methods).map(([method, spec]) => ({ method: method.toUpperCase(), path, spec })),
);

let stack: TestStack;
let url: string;
/** Values of path parameters that name something, by the path's segment before them. */
const pools: Record<string, string[]> = {};

test.before(async () => {
  stack = await startStack({ env: { AUTH_FAILURES_PER_MINUTE: '1000000' } });
  await stack.startWorkers();
  url = await stack.startApi();
  const api = new ApiClient(url, stack.account);
  const uuids: string[] = [];
  for (const provider of ['run', 'independent']) {
    const { body } = await api.create(shipmentBody(stack.account, provider));
    uuids.push(body.data.uuid);
    pools.orders = [...(pools.orders ?? []), body.data.order.id];
    pools.tracking = [...(pools.tracking ?? []), body.data.tracking_code];
  }
  pools.shipments = uuids;
});
test.after.always(() => stack?.close());

test('requests made from the published document meet no 5xx and no status or code that it does not name', async (t) => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
  t.log(`seed ${seed}: run it again with FUZZ_SEED=${seed}`);
  const random = seededRandom(seed);
  const fuzzer = new SchemaFuzzer(random, document.components.schemas, {
    license_key: Object.values(stack.account.licenseKeys),
    shipments: pools.shipments ?? [],
  });
  const failures: string[] = [];
  const statuses = new Map<number, number>();

  for (let round = 0; round < ROUNDS; round++) {
    for (let start = 0; start < operations.length; start += AT_ONCE) {
      const requests = operations
        .slice(start, start + AT_ONCE)
        .map((operation) => makeRequest(operation, fuzzer, random));
      for (const { request, status, failure } of await Promise.all(requests.map(sendAndCheck))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (failure !== null)
          failures.push(`${request.operation.method} ${request.path} ${request.body ?? ''}: ${failure}`);
      }
    }
  }

  const counts = Object.fromEntries(statuses);
  t.log(counts);
  t.deepEqual(failures.slice(0, 10), []);
  t.true((counts[200] ?? 0) > operations.length, 'enough requests must get through to mean something');
  t.true((counts[422] ?? 0) > operations.length / 2);
});

function makeRequest(operation: Operation, fuzzer: SchemaFuzzer, random: Random): FuzzRequest {
  const { method, spec } = operation;
  const parameters: Schema[] = spec.parameters.filter((one: Schema) => one.$ref === undefined);
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap((one) => queryPairs(one, fuzzer))
    .join('&');
  const body = spec.requestBody === undefined ? undefined : makeBody(spec, fuzzer);
  const headers: Record<string, string> = {
    accept: fuzzer.oneIn(6) ? 'application/pdf' : 'application/json',
    'x-client-id': stack.account.clientId,
    'x-client-secret': fuzzer.oneIn(40) ? 'wrong' : stack.account.clientSecret,
    ...(body === undefined ? {} : { 'content-type': fuzzer.oneIn(30) ? 'text/plain' : 'application/json' }),
    ...(fuzzer.oneIn(8) ? { 'if-none-match': random.pick(['*', 'W/"x"', '"', 'x,,']) } : {}),
    ...(fuzzer.oneIn(4)
      ? { 'idempotency-key': random.pick(['k1', '"k2"', ' ', '""', 'é', 'x'.repeat(256)]) }
      : {}),
  };
  const path = fillPath(operation.path, fuzzer, random) + (query === '' ? '' : `?${query}`);
  return { operation, path, headers, body: method === 'DELETE' ? undefined : body };
}

function fillPath(path: string, fuzzer: SchemaFuzzer, random: Random): string {
  const segments = path.split('/');
  return segments
    .map((segment, index) => {
      if (!segment.startsWith('{')) return segment;
      const pool = pools[segments[index - 1] ?? ''] ?? [];
      const value = pool.length > 0 && !fuzzer.oneIn(4) ? random.pick(pool) : fuzzer.hostileText();
      // An empty segment, or dots alone, would be another route.
      return /^(\.*|\s*)$/.test(value) ? '0' : encodeURIComponent(wellFormed(value));
    })
    .join('/');
}

/** Addresses cannot hold half a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function queryPairs({ name, schema }: Schema, fuzzer: SchemaFuzzer): string[] {
  const isNeeded = name === 'license_key' && !fuzzer.oneIn(10);
  if (!isNeeded && !fuzzer.oneIn(3)) return [];
  const pair = () => {
    const value = fuzzer.value(schema, name);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(text.slice(0, 2000)))}`;
  };
  return fuzzer.oneIn(25) ? [pair(), pair()] : [pair()];
}

function makeBody(spec: Schema, fuzzer: SchemaFuzzer): string {
  if (fuzzer.oneIn(40)) return fuzzer.hostileText();
  const { schema, example } = spec.requestBody.content['application/json'];
  const value =
    example === undefined || fuzzer.oneIn(3) ? fuzzer.value(schema) : fuzzer.mutated(example, schema);
  return JSON.stringify(value) ?? '{}';
}

async function sendAndCheck(
  request: FuzzRequest,
): Promise<{ request: FuzzRequest; status: number; failure: string | null }> {
  const { operation, path, headers, body } = request;
  const response = await fetch(`${url}/api/v2${path}`, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const { status } = response;
  if (status >= 500) return { request, status, failure: `${status} ${text}` };
  const documented = answersOf(operation, path)[status];
  if (documented === undefined) return { request, status, failure: `${status} is not documented: ${text}` };
  if (status < 400) {
    harvest(operation.path, text, response.headers.get('content-type'));
    return { request, status, failure: null };
  }
  const code: string = JSON.parse(text).error.code;
  const codes = Object.keys(documented.content['application/json'].examples);
  return { request, status, failure: codes.includes(code) ? null : `${status} ${code} is not documented` };
}

/** Ids of what was made or listed name the objects of later paths. */
function harvest(path: string, text: string, type: string | null): void {
  if (!type?.startsWith('application/json') || text === '') return;
  const segment = path
    .split('/')
    .filter((one) => !one.startsWith('{'))
    .at(-1);
  const rows: unknown[] = [JSON.parse(text).data].flat();
  for (const row of rows.slice(0, 5)) {
    const id: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined;
    if (segment === undefined || (typeof id !== 'string' && typeof id !== 'number')) continue;
    if (segment in pools && ['shipments', 'orders', 'tracking'].includes(segment)) continue;
    pools[segment] = [String(id), ...(pools[segment] ?? [])].slice(0, 5);
  }
}

/** With `dry_run=true` a creation answers as the dry run's own route does, which its description says. */
function answersOf({ path: route, spec }: Operation, path: string): Schema {
  const isDryRun =
    route === '/shipments' && new URLSearchParams(path.split('?')[1]).get('dry_run') === 'true';
  if (!isDryRun) return spec.responses;
  return { ...spec.responses, ...document.paths['/shipments/dry-run'].post.responses };
}
