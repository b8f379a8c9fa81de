import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { Agent, buildConnector } from 'undici';
import { failureOf, outcomeOfError, retryAfterMs, sendOnce } from '../../src/carriers/http.js';
import { TimeLimit } from '../../src/lib/time-limit.js';
import { listen } from '../support/local-server.js';

async function serve(listener: RequestListener) {
  return await listen(createServer(listener));
}

function call(
  url: string,
  overrides: { timeoutMs?: number; maxReplyBytes?: number; token?: string; sendWithin?: TimeLimit } = {},
) {
  return sendOnce({
    method: 'GET',
    url,
    sendWithin: overrides.sendWithin,
    headers: overrides.token === undefined ? {} : { authorization: overrides.token },
    timeoutMs: overrides.timeoutMs ?? 5000,
    maxReplyBytes: overrides.maxReplyBytes ?? 1000,
    signal: new AbortController().signal,
  });
}

test('sendOnce: a reply above the limit is unknown, one of exactly the limit is accepted', async (t) => {
  const { url, close } = await serve((_, response) => response.end('x'.repeat(1000)));
  t.teardown(close);

  t.is((await call(url)).kind, 'accepted');
  t.is((await call(url, { maxReplyBytes: 999 })).kind, 'unknown');
});

test('sendOnce: an endless reply ends at the timeout', async (t) => {
  const { url, close } = await serve((_, response) => {
    response.write('x');
  });
  t.teardown(close);

  t.is((await call(url, { timeoutMs: 200 })).kind, 'unknown');
});

test('sendOnce: sends once, whatever fails', async (t) => {
  let requests = 0;
  const { url, close } = await serve((request) => {
    requests += 1;
    request.socket.destroy();
  });
  t.teardown(close);

  const outcome = await call(url);

  t.is(outcome.kind, 'unknown');
  t.is(requests, 1);
});

/** Blocks the thread, like a process that stalls. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('sendOnce: sends nothing after its limit, neither before, while connecting, nor on an open connection', async (t) => {
  let requests = 0;
  const { url, close } = await serve((_, response) => {
    requests += 1;
    response.end('x');
  });
  t.teardown(close);
  const held = { kind: 'unavailable', text: 'The call came too late and was not sent.' } as const;
  const early = new TimeLimit(50);
  standStill(60);

  t.deepEqual(await call(url, { sendWithin: early }), held);
  for (const kept of [0, 1]) {
    const connecting = call(url, { sendWithin: new TimeLimit(100) });
    standStill(120);
    t.deepEqual(await connecting, held);
    t.is(requests, kept);
    t.is((await call(url, { sendWithin: new TimeLimit(60_000) })).kind, 'accepted');
  }
  t.is(requests, 2);
});

test('sendOnce: a reply that arrived during a stall wins over the timeout', async (t) => {
  const carrier = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:http').createServer((_, response) => {
       parentPort.postMessage('asked');
       setTimeout(() => response.end('x'), 200);
     });
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  t.teardown(() => carrier.terminate());
  const [port] = await once(carrier, 'message');
  const asked = once(carrier, 'message');

  const answer = call(`http://127.0.0.1:${port}`, { timeoutMs: 1000 });
  await asked;
  standStill(1500);

  t.is((await answer).kind, 'accepted');
});

test('sendOnce: a timeout before the connection is no lost answer', async (t) => {
  let requests = 0;
  const { url, close } = await serve((_, response) => {
    requests += 1;
    response.end('x');
  });
  t.teardown(close);
  const connect = buildConnector({});
  const slow = new Agent({
    connect: (options, done) => void setTimeout(() => connect(options, done), 300),
  });
  t.teardown(() => slow.destroy());

  const outcome = await sendOnce({
    method: 'GET',
    url,
    timeoutMs: 100,
    maxReplyBytes: 1,
    signal: new AbortController().signal,
    dispatcher: slow,
  });

  t.is(outcome.kind, 'unavailable');
  t.is(requests, 0);
});

test('sendOnce: a clock set back does not extend the limit', (t) => {
  const limit = new TimeLimit(1000);
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });

  t.false(limit.isOver);
  Date.now = () => now() + 2000;
  t.true(limit.isOver);
});

test('sendOnce: does not follow redirects', async (t) => {
  let requests = 0;
  const { url, close } = await serve((_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/again' }).end();
  });
  t.teardown(close);

  t.is((await call(url)).kind, 'unknown');
  t.is(requests, 1);
});

test('sendOnce: tells unsendable calls from sent ones', async (t) => {
  t.is((await call('http://carrier.invalid/')).kind, 'unavailable');
  t.like(await call('http://127.0.0.1:1/', { token: 'a\r\nX: 1' }), {
    kind: 'rejected',
    code: 'invalid_settings',
  });
  t.like(await call('not a url'), { kind: 'rejected', code: 'invalid_settings' });
});

test('outcomeOfError: an unreachable host is "not sent" only while connecting', (t) => {
  const failure = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
  const both = Object.assign(
    new AggregateError([failure('ECONNREFUSED', 'connect'), failure('ENETUNREACH', 'connect')]),
    { code: 'ECONNREFUSED' },
  );

  t.is(outcomeOfError(failure('EHOSTUNREACH', 'connect')).kind, 'unavailable');
  t.is(outcomeOfError(both).kind, 'unavailable');
  t.is(outcomeOfError(failure('EHOSTUNREACH', 'read')).kind, 'unknown');
  t.is(outcomeOfError(failure('ECONNREFUSED', 'write')).kind, 'unknown');
});

test('outcomeOfError: texts never hold the address', async (t) => {
  const outcome = await call('http://carrier.invalid/?ARGUMENTS=-Asecret-name');

  t.notRegex(JSON.stringify(outcome), /secret-name|carrier\.invalid/);
});

test('failureOf: statuses and Retry-After', (t) => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  t.is(failureOf(204, undefined, now), null);
  t.is(failureOf(404, undefined, now)?.kind, 'rejected');
  t.is(failureOf(502, undefined, now)?.kind, 'unknown');
  t.is(retryAfterMs('120', now), 120_000);
  t.is(retryAfterMs('Sat, 21 Nov 2026 12:00:30 GMT', now), 30_000);
  t.is(retryAfterMs('Sat, 21 Nov 2020 12:00:30 GMT', now), 0);
  t.is(retryAfterMs('soon', now), undefined);
});
