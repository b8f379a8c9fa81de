import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import test from 'ava';
import type { OpenDocument } from '../../src/documents/storage.js';
import { type RunningServer, startServer } from '../../src/http/server.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { linkDocuments } from '../support/links.js';

const MIB = 1024 * 1024;
const LARGE = Buffer.alloc(64 * MIB);

/** Sends a request and reads nothing of the answer. */
function stalledReader(owner: Owner, url: string, path: string, address = '192.0.2.1'): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  owner.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  return socket;
}

/** An API whose export files never end. */
async function startExports(
  owner: Owner,
  stalledMs?: number,
): Promise<{ http: HttpStack; opened: Readable[]; path: string }> {
  const opened: Readable[] = [];
  const open = async (): Promise<OpenDocument> => {
    const piece = Buffer.alloc(MIB);
    const content = new Readable({ read: () => void content.push(piece) });
    opened.push(content);
    return { sizeBytes: 2 ** 40, content };
  };
  const http = await startHttp({
    config: { maxOpenRequests: 2, maxWorkingRequests: 2, trustProxy: 1, shutdownGraceMs: 100 },
    app: ({ storage }) => ({ storage: { ...storage, open } }),
    limits: stalledMs === undefined ? {} : { stalledMs },
  });
  owner.teardown(() => http.close());
  const account = await http.account();
  const { exportFile } = await linkDocuments(http, account, await http.license(account.id));
  return { http, opened, path: exportFile };
}

test('GET /storage/export: other requests are served when a caller does not read', async (t) => {
  const { http, opened, path } = await startExports(t);
  const account = await http.account();
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    const before = opened.length;
    stalledReader(t, http.url, path, address);
    await eventually(() => opened.length > before, 'the file');
  }

  const answer = await http.send('GET', '/account', { as: account });

  t.is(answer.status, 200);
});

test('GET /storage/export: an address has a limited number of downloads at the same time', async (t) => {
  const { http, opened, path } = await startExports(t);
  stalledReader(t, http.url, path);
  await eventually(() => opened.length === 1, 'the file');

  const second = await fetch(`${http.url}${path}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });

  t.is(second.status, 503);
  t.deepEqual(
    opened.map(({ destroyed }) => destroyed),
    [false, true],
  );
});

test('GET /storage/export: who stops to read loses the connection', async (t) => {
  const { opened, http, path } = await startExports(t, 300);
  stalledReader(t, http.url, path);

  await eventually(() => opened[0]?.destroyed, 'the end of the stream');

  t.is(opened.length, 1);
});

test('GET /storage/export: who leaves in mid-file is no failure of ours', async (t) => {
  const { http, opened, path } = await startExports(t);
  const reader = stalledReader(t, http.url, path);
  await eventually(() => opened.length === 1, 'the file');

  reader.resetAndDestroy();

  await eventually(() => http.log.some((line) => line.includes('"errorCode":"client_gone"')), 'the line');
  t.deepEqual(
    http.log.filter((line) => line.includes('"level":50')),
    [],
  );
});

async function startAnswering(
  owner: Owner,
  answer: Parameters<typeof startServer>[0],
): Promise<RunningServer> {
  const server = await startServer(
    answer,
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 100 },
    { stalledMs: 300 },
  );
  owner.teardown(() => server.close());
  return server;
}

test('an answer that comes after the time-out for readers is sent all the same', async (t) => {
  const server = await startAnswering(t, (_req, res) => {
    res.once('timeout', () => res.end('late'));
  });

  const answer = await fetch(server.url);

  t.is(await answer.text(), 'late');
});

test('who does not read an answer that came after the time-out loses the connection', async (t) => {
  const server = await startAnswering(t, (_req, res) => {
    res.once('timeout', () => res.end(LARGE));
  });
  const closed = new Promise((resolve) => {
    server.server.once('connection', (socket: Socket) => socket.once('close', resolve));
  });

  stalledReader(t, server.url, '/');
  await closed;

  t.pass();
});

// Serial: it counts the timers of its process.
test.serial('an answer whose client left before it was ready sets no timer', async (t) => {
  const answers: ServerResponse[] = [];
  const server = await startAnswering(t, (_req, res) => void answers.push(res));
  const client = stalledReader(t, server.url, '/');
  const answer = await eventually(() => answers[0], 'the request');
  client.destroy();
  await eventually(() => answer.destroyed, 'the end of the connection');
  const before = timers();

  answer.end('late');

  t.true(answer.writableEnded);
  t.is(timers(), before);
});

/** Timers that keep a process from its end. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
