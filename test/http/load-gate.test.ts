import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { BodyShare } from '../../src/http/raw-body.js';
import { startServer } from '../../src/http/server.js';
import { Slots } from '../../src/lib/limits/slots.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { accounts, endless, hang, openRequest } from '../support/held-requests.js';
import { creationBody, type HttpAccount, type HttpStack, startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const KIB = 1024;

function openCreation(http: HttpStack, headers: Record<string, string>, length: number) {
  return openRequest(http, '/api/v2/shipments', headers, length);
}

const WRONG = { json: { ship_data: {}, order: {} } };

test('POST /shipments: beyond the bytes that a process holds of bodies the answer is 503, and 422 once they are free', async (t) => {
  const http = await startHttp({ config: { bodyBudgetBytes: 8 * KIB } });
  t.teardown(() => http.close());
  const [one, two, three] = await accounts(http, 3);
  const held = await Promise.all(
    [one, two].map((account) => openCreation(http, account?.headers ?? {}, 4 * KIB)),
  );
  for (const { socket } of held) socket.write(' '.repeat(4 * KIB - 1));
  const body = { ...WRONG, ...(three === undefined ? {} : { as: three }) };

  const refused = await eventually(async () => {
    const answer = await http.send('POST', '/shipments', body);
    return answer.status === 503 && answer;
  }, 'the bytes of the bodies');
  const reading = await http.send('GET', '/account', body.as === undefined ? {} : { as: body.as });
  for (const { socket } of held) socket.destroy();
  const taken = await eventually(async () => {
    const answer = await http.send('POST', '/shipments', body);
    return answer.status !== 503 && answer;
  }, 'room for the body');

  t.is(refused.body.error.code, 'service_unavailable');
  t.truthy(refused.headers.get('retry-after'));
  t.is(reading.status, 200);
  t.is(taken.status, 422);
  t.deepEqual(
    http.log.filter((line) => line.includes('"failed"')),
    [],
  );
});

test('POST /shipments: bytes that are announced and not sent take nothing from others', async (t) => {
  const http = await startHttp({ config: { bodyBudgetBytes: 8 * KIB } });
  t.teardown(() => http.close());
  const [one, two, three] = await accounts(http, 3);
  const held = await Promise.all(
    [one, two].map((account) => openCreation(http, account?.headers ?? {}, 4 * KIB)),
  );
  t.teardown(() => held.map(({ socket }) => socket.destroy()));

  const answer = await http.send('POST', '/shipments', { ...WRONG, ...(three && { as: three }) });

  t.is(answer.status, 422);
});

function hangingCreation(owner: Owner, http: HttpStack, { headers }: HttpAccount): void {
  hang(owner, `${http.url}/api/v2/shipments`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(creationBody()),
  });
}

test('over the open requests of a process both APIs answer 503 in their shapes, and health goes on', async (t) => {
  const { call, called } = endless();
  const http = await startHttp({
    config: { maxOpenRequests: 1, shutdownGraceMs: 100 },
    runs: () => ({ createShipment: call }),
  });
  t.teardown(() => http.close());
  const account = await http.account();
  await http.license(account.id);
  const late = await openCreation(http, account.headers, 2);
  t.teardown(() => late.socket.destroy());
  hangingCreation(t, http, account);
  await called;

  const [v2, v1, page, live, ready] = await Promise.all([
    http.send('GET', '/account', { as: account }),
    sendV1(http, 'POST', '/shipping/get_shipping_status'),
    fetch(`${http.url}/track/ABCDEFGHJK`),
    fetch(`${http.url}/health/live`),
    fetch(`${http.url}/health/ready`),
  ]);
  late.socket.write('{}');
  const [refused] = await once(late.socket, 'data');

  t.is(v2.status, 503);
  t.deepEqual(Object.keys(v2.body.error), ['code', 'message', 'status']);
  t.truthy(v2.headers.get('x-request-id'));
  t.is(v1.status, 503);
  t.deepEqual(v1.body, { message: 'Service Unavailable' });
  t.truthy(v1.headers.get('retry-after'));
  t.is(page.status, 503);
  t.deepEqual([live.status, ready.status], [200, 200]);
  t.regex(String(refused), /^HTTP\/1\.1 503 /);
});

test('requests that are over free their places', async (t) => {
  const http = await startHttp({ config: { maxOpenRequests: 1 } });
  t.teardown(() => http.close());
  const account = await http.account();

  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { socket } = await openCreation(http, account.headers, KIB);
    socket.destroy();
    statuses.push((await http.send('GET', '/account', { as: account })).status);
  }

  t.deepEqual(statuses, [200, 200, 200, 200, 200]);
});

test('BodyShare: one caller gets its part, and large bodies leave room for small ones', (t) => {
  const slots = new Slots({ total: 4096 * KIB, perKey: 2048 * KIB });
  const open = (caller: string) => new BodyShare(slots, caller, 3072 * KIB);

  const first = open('a');
  t.true(first.grow(2048 * KIB));
  t.false(open('a').grow(1));
  const large = open('b');
  t.true(large.grow(1024 * KIB));
  t.false(open('c').grow(257 * KIB));
  t.true(open('c').grow(256 * KIB));
  first.release();
  t.true(open('a').grow(1792 * KIB));
});

test('a client that does not take its answer loses the connection', async (t) => {
  const large = Buffer.alloc(64 * 1024 * KIB);
  const server = await startServer(
    (_req, res) => res.end(large),
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 100 },
    { stalledMs: 300 },
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
