import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { startServer } from '../../src/http/server.js';
import { shortDigest } from '../../src/lib/digest.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startHttp } from '../support/http.js';
import { linkDocuments } from '../support/links.js';

/** More than the system takes of an answer that nobody reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');

/** An API with large labels, their addresses, and how many of them were read. */
async function startLabels(owner: Owner, { bytes = LARGE.length, requests = 2 } = {}) {
  let made = 0;
  const body = Buffer.alloc(bytes, 'x');
  body.write('%PDF-1.4');
  body.write('%%EOF', bytes - 5);
  const read = async () => {
    made += 1;
    return body;
  };
  const http = await startHttp({
    config: {
      maxOpenRequests: requests,
      maxWorkingRequests: requests,
      trustProxy: 1,
      shutdownGraceMs: 100,
    },
    app: ({ storage }) => ({ storage: { ...storage, read } }),
  });
  owner.teardown(() => http.close());
  const account = await http.account();
  const { document: label, uuid } = await linkDocuments(http, account, await http.license(account.id));
  return { http, made: () => made, label, uuid, account, etag: `"${shortDigest(body)}"` };
}

/** A connection that has sent the same request many times, and reads only on request. */
function pipelined(
  owner: Owner,
  url: string,
  path: string,
  { times = 1, address = '192.0.2.1', headers = {} } = {},
): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  owner.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  const lines = Object.entries({ Host: 'x', 'X-Forwarded-For': address, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`.repeat(times));
  return socket;
}

test.serial('answers that nobody reads take no place of work', async (t) => {
  const { http, made, label } = await startLabels(t);
  const account = await http.account();
  for (const [index, address] of ['192.0.2.1', '192.0.2.2', '192.0.2.3'].entries()) {
    pipelined(t, http.url, label, { address });
    await eventually(() => made() > index, 'the answer');
  }

  const answer = await http.send('GET', '/account', { as: account });

  t.is(answer.status, 200);
});

test.serial('a connection that sends many requests and reads nothing has one under way', async (t) => {
  const { http, made, label } = await startLabels(t);
  const account = await http.account();
  pipelined(t, http.url, label, { times: 20 });
  await eventually(() => made() > 0, 'the first answer');

  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await http.send('GET', '/account', { as: account })).status);
  }

  t.deepEqual(statuses, [200, 200, 200]);
  t.is(made(), 1);
});

test.serial('an unread answer, and the requests behind it, are gone with their connection', async (t) => {
  const { http, made, label } = await startLabels(t);
  const account = await http.account();
  const socket = pipelined(t, http.url, label, { times: 20 });
  await eventually(() => made() > 0, 'the first answer');
  await http.send('GET', '/account', { as: account });
  socket.destroy();

  const answer = await eventually(async () => {
    const { status } = await fetch(`${http.url}${label}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    return status === 200;
  }, 'a free place');

  t.true(answer);
});

test.serial('an address has a limited number of unread answers at the same time', async (t) => {
  const { http, made, label } = await startLabels(t);
  const ask = async (address: string) =>
    (await fetch(`${http.url}/track/ABCDEFGHJK`, { headers: { 'x-forwarded-for': address } })).status;
  const socket = pipelined(t, http.url, label);
  await eventually(() => made() > 0, 'the answer');

  const statuses = [await ask('192.0.2.1'), await ask('192.0.2.2')];
  socket.resume();
  await eventually(async () => (await ask('192.0.2.1')) === 404, 'the end of the answer');

  t.deepEqual(statuses, [503, 404]);
});

test.serial(
  'an address has a limited number of bytes of unread answers at the same time, and small ones go on',
  async (t) => {
    const { http, made, label, etag } = await startLabels(t, {
      bytes: 20 * 1024 * 1024,
      requests: 32,
    });
    const ask = (path: string, address: string, headers = {}) =>
      fetch(http.url + path, { headers: { 'x-forwarded-for': address, ...headers } });
    const sockets: Socket[] = [];
    for (let count = 1; count <= 3; count += 1) {
      sockets.push(pipelined(t, http.url, label));
      await eventually(() => made() >= count, 'the answer');
    }

    const refused = await ask(label, '192.0.2.1');
    const known = await ask(label, '192.0.2.1', { 'if-none-match': etag });
    const small = await ask('/track/ABCDEFGHJK', '192.0.2.1');
    const other = await ask(label, '192.0.2.2');
    await other.arrayBuffer();
    for (const socket of sockets) socket.destroy();
    const later = await eventually(async () => {
      const { status } = await ask(label, '192.0.2.1');
      return status === 200;
    }, 'room for the answer');

    t.is(refused.status, 503);
    t.truthy(refused.headers.get('retry-after'));
    for (const name of ['etag', 'content-disposition']) t.is(refused.headers.get(name), null);
    t.deepEqual([known.status, small.status, other.status], [304, 404, 200]);
    t.true(later);
  },
);

test.serial('large answers of the API count for their address too', async (t) => {
  const { http, made, account, uuid } = await startLabels(t, { requests: 32 });
  const path = `/shipments/${uuid}/label`;
  const headers = { accept: 'application/pdf', 'x-forwarded-for': '192.0.2.1' };
  for (let count = 1; count <= 2; count += 1) {
    pipelined(t, http.url, `/api/v2${path}`, { headers: { ...account.headers, accept: 'application/pdf' } });
    await eventually(() => made() >= count, 'the answer');
  }

  const refused = await http.send('GET', path, { as: account, headers });
  const small = await http.send('GET', '/account', { as: account, headers });

  t.is(refused.status, 503);
  t.is(refused.body.error.code, 'service_unavailable');
  t.is(refused.headers.get('etag'), null);
  t.is(small.status, 200);
});

test.serial('who reads gets the answers of a connection one after the other', async (t) => {
  const { http } = await startLabels(t);
  const socket = pipelined(t, http.url, '/health/live', { times: 20 });
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  socket.resume();

  await eventually(() => text.split('{"status":"ok"}').length === 21, 'all answers');

  t.is(text.split('HTTP/1.1 200 OK').length, 21);
});

test.serial('a connection with too many requests behind an unread answer is ended', async (t) => {
  const { http, made, label } = await startLabels(t);
  const socket = pipelined(t, http.url, label, { times: 200 });
  const closed = once(socket, 'close');

  socket.resume();
  await closed;

  t.true(made() <= 1);
});

test.serial('who reads an answer in drops loses the connection after a while', async (t) => {
  const server = await startServer(
    (_req, res) => res.end(LARGE),
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 100 },
    { stalledMs: 60_000, takenMs: 500 },
  );
  t.teardown(() => server.close());
  const closed = new Promise((resolve) => {
    server.server.once('connection', (socket: Socket) => socket.once('close', resolve));
  });
  const socket = pipelined(t, server.url, '/');
  let taken = 0;
  const drops = setInterval(() => {
    taken += socket.read()?.length ?? 0;
  }, 50);
  t.teardown(() => clearInterval(drops));

  await closed;

  t.true(taken < LARGE.length);
});
