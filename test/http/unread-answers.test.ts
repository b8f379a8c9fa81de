import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { startServer } from '../../src/http/server.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { labelDoubles } from '../support/label-doubles.js';

/** More than the system takes of an answer that nobody reads. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const LABEL = `/shipping/label/${randomUUID()}?output=html`;

/** An API with large labels, and how many of them were made. */
async function startLabels(owner: Owner): Promise<{ http: HttpStack; made: () => number }> {
  let made = 0;
  const html = async () => {
    made += 1;
    return { body: LARGE, etag: 'one' };
  };
  const http = await startHttp({
    config: { maxOpenRequests: 2, maxWorkingRequests: 2, trustProxy: 1, shutdownGraceMs: 100 },
    services: (db) => ({ labels: { ...labelDoubles(db), html } }),
  });
  owner.teardown(() => http.close());
  return { http, made: () => made };
}

/** A connection that has sent the same request so many times, and reads nothing until it is told to. */
function pipelined(
  owner: Owner,
  url: string,
  path: string,
  { times = 1, address = '192.0.2.1' } = {},
): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  owner.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(times));
  return socket;
}

test.serial('answers that nobody reads take no place of work', async (t) => {
  const { http, made } = await startLabels(t);
  const account = await http.account();
  for (const [index, address] of ['192.0.2.1', '192.0.2.2', '192.0.2.3'].entries()) {
    pipelined(t, http.url, LABEL, { address });
    await eventually(() => made() > index, 'the answer');
  }

  const answer = await http.send('GET', '/account', { as: account });

  t.is(answer.status, 200);
});

test.serial('a connection that sends many requests and reads nothing has one under way', async (t) => {
  const { http, made } = await startLabels(t);
  const account = await http.account();
  pipelined(t, http.url, LABEL, { times: 20 });
  await eventually(() => made() > 0, 'the first answer');

  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    statuses.push((await http.send('GET', '/account', { as: account })).status);
  }

  t.deepEqual(statuses, [200, 200, 200]);
  t.is(made(), 1);
});

test.serial('an unread answer, and the requests behind it, are gone with their connection', async (t) => {
  const { http, made } = await startLabels(t);
  const account = await http.account();
  const socket = pipelined(t, http.url, LABEL, { times: 20 });
  await eventually(() => made() > 0, 'the first answer');
  await http.send('GET', '/account', { as: account });
  socket.destroy();

  const answer = await eventually(async () => {
    const { status } = await fetch(`${http.url}${LABEL}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    return status === 200;
  }, 'a free place');

  t.true(answer);
});

test.serial('one address has so many unread answers at the same time', async (t) => {
  const { http, made } = await startLabels(t);
  const ask = async (address: string) =>
    (await fetch(`${http.url}/track/ABCDEFGHJK`, { headers: { 'x-forwarded-for': address } })).status;
  const socket = pipelined(t, http.url, LABEL);
  await eventually(() => made() > 0, 'the answer');

  const statuses = [await ask('192.0.2.1'), await ask('192.0.2.2')];
  socket.resume();
  await eventually(async () => (await ask('192.0.2.1')) === 404, 'the end of the answer');

  t.deepEqual(statuses, [503, 404]);
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
  const { http, made } = await startLabels(t);
  const socket = pipelined(t, http.url, LABEL, { times: 200 });
  const closed = once(socket, 'close');

  socket.resume();
  await closed;

  t.true(made() <= 1);
});

test.serial('who reads an answer in drops loses the connection after a while', async (t) => {
  const server = await startServer(
    (_req, res) => res.end(LARGE),
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 100 },
    { writeTimeoutMs: 60_000, answerTimeoutMs: 500 },
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
