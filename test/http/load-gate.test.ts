import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { BodyBudget } from '../../src/http/body-budget.js';
import { startServer } from '../../src/http/server.js';
import { eventually } from '../support/conditions.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const KIB = 1024;

/** Opens a creation whose body never comes, and waits until it is counted. */
async function openCreation(http: HttpStack, headers: Record<string, string>, length: number) {
  const { hostname, port } = new URL(http.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST /api/v2/shipments HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n` +
      `Content-Length: ${length}\r\n${lines.join('')}\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

test('POST /shipments: beyond the bytes that a process holds of bodies the answer is 503, and 201 once they are free', async (t) => {
  const http = await startHttp({ config: { bodyBudgetBytes: 8 * KIB } });
  t.teardown(() => http.close());
  const [one, two, three] = await Promise.all([http.account(), http.account(), http.account()]);
  await Promise.all([one, two, three].map(({ id }) => http.license(id)));
  const held = await Promise.all([one, two].map(({ headers }) => openCreation(http, headers, 4 * KIB)));
  const body = { json: { ship_data: {}, order: {} }, as: three };

  const refused = await http.send('POST', '/shipments', body);
  const reading = await http.send('GET', '/account', { as: three });
  for (const socket of held) socket.destroy();
  const taken = await eventually(async () => {
    const answer = await http.send('POST', '/shipments', body);
    return answer.status !== 503 && answer;
  }, 'room for the body');

  t.is(refused.status, 503);
  t.is(refused.body.error.code, 'service_unavailable');
  t.truthy(refused.headers.get('retry-after'));
  t.is(reading.status, 200);
  t.is(taken.status, 422);
  t.deepEqual(
    http.log.filter((line) => line.includes('"failed"')),
    [],
  );
});

test('over the open requests of a process both APIs answer 503 in their shapes, and health goes on', async (t) => {
  const http = await startHttp({ config: { maxOpenRequests: 1 } });
  t.teardown(() => http.close());
  const account = await http.account();
  const held = await openCreation(http, account.headers, KIB);

  const [v2, v1, page, live, ready] = await Promise.all([
    http.send('GET', '/account', { as: account }),
    sendV1(http, 'POST', '/shipping/get_shipping_status'),
    fetch(`${http.url}/track/ABCDEFGHJK`),
    fetch(`${http.url}/health/live`),
    fetch(`${http.url}/health/ready`),
  ]);
  held.destroy();
  const after = await eventually(async () => {
    const answer = await http.send('GET', '/account', { as: account });
    return answer.status === 200 && answer;
  }, 'a free place');

  t.is(v2.status, 503);
  t.deepEqual(Object.keys(v2.body.error), ['code', 'message', 'status']);
  t.truthy(v2.headers.get('x-request-id'));
  t.is(v1.status, 503);
  t.deepEqual(v1.body, { message: 'Service Unavailable' });
  t.truthy(v1.headers.get('retry-after'));
  t.is(page.status, 503);
  t.deepEqual([live.status, ready.status], [200, 200]);
  t.is(after.status, 200);
});

test('BodyBudget: one caller gets half, and large bodies leave room for small ones', (t) => {
  const budget = new BodyBudget(4096 * KIB);

  const first = budget.open('a');
  t.true(first.grow(2048 * KIB));
  t.false(budget.open('a').grow(1));
  const large = budget.open('b');
  t.true(large.grow(1024 * KIB));
  t.false(budget.open('c').grow(257 * KIB));
  t.true(budget.open('c').grow(256 * KIB));
  first.release();
  t.true(budget.open('a').grow(1792 * KIB));
});

test('a client that does not take its answer loses the connection', async (t) => {
  const large = Buffer.alloc(64 * 1024 * KIB);
  const server = await startServer(
    (_req, res) => res.end(large),
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 100 },
    { writeTimeoutMs: 300 },
  );
  t.teardown(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');

  await eventually(async () => connections(server.server).then((count) => count === 1), 'the connection');
  await eventually(async () => connections(server.server).then((count) => count === 0), 'its end');

  t.pass();
});

test('more connections than a process takes are closed', async (t) => {
  const server = await startServer((_req, res) => res.end('ok'), {
    host: '127.0.0.1',
    port: 0,
    shutdownGraceMs: 100,
    maxConnections: 1,
  });
  t.teardown(() => server.close());
  const first = connect(server.port, '127.0.0.1');
  t.teardown(() => first.destroy());
  await once(first, 'connect');
  await eventually(async () => (await connections(server.server)) === 1, 'the first one');

  const second = connect(server.port, '127.0.0.1');
  second.on('error', () => undefined);
  await once(second, 'close');

  t.is(await connections(server.server), 1);
});

function connections(server: { getConnections(report: (error: Error | null, count: number) => void): void }) {
  return new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
