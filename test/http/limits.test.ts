import { createServer } from 'node:net';
import test from 'ava';
import { pino } from 'pino';
import { openDatabase } from '../../src/db/database.js';
import { startServer } from '../../src/http/server.js';
import { startHttp } from '../support/http.js';
import { patient } from '../support/patience.js';

test('over the limit a client waits, others do not', async (t) => {
  const http = await startHttp({ config: { rateLimitPerMinute: 3 } });
  t.teardown(() => http.close());
  const one = await http.account();
  const other = await http.account();

  const answers = [];
  // A minute may end in between, so that one more round is needed.
  for (let count = 0; count < 8 && answers.at(-1)?.status !== 429; count++) {
    answers.push(await http.send('GET', '/account', { as: one }));
  }
  const refused = answers.at(-1);
  const free = await http.send('GET', '/account', { as: other });

  t.is(answers[0]?.status, 200);
  t.is(refused?.status, 429);
  t.is(refused?.body.error.code, 'rate_limited');
  t.true(Number(refused?.headers.get('retry-after')) >= 1);
  t.is(refused?.headers.get('x-ratelimit-remaining'), '0');
  t.is(free.status, 200);
});

test('without MySQL the API answers 503, and lives', async (t) => {
  const http = await startHttp();
  const gone = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  t.teardown(async () => {
    await gone.close();
    await http.close();
  });
  const { createWeb } = await import('../../src/http/web.js');
  const app = createWeb({
    ...http.app,
    db: gone,
    log: pino({ level: 'silent' }),
    readiness: async () => ({ mysql: false, temporal: true }),
  });
  const server = await startServer(app, http.config);
  t.teardown(() => server.close());

  const answer = await fetch(`${server.url}/api/v2/account`, {
    headers: { 'x-client-id': 'a', 'x-client-secret': 'b' },
  });
  const ready = await fetch(`${server.url}/health/ready`);
  const live = await fetch(`${server.url}/health/live`);

  t.is(answer.status, 503);
  t.truthy(answer.headers.get('retry-after'));
  const body: any = await answer.json();
  t.is(body.error.code, 'service_unavailable');
  t.is(ready.status, 503);
  t.is(live.status, 200);
});

test('a database that refuses the password: the API answers 503, and its log says why', async (t) => {
  const http = await startHttp();
  const url = new URL(http.config.databaseUrl);
  url.username = 'nobody';
  url.password = 'wrong';
  const closed = openDatabase({ url: url.href, poolSize: 1 });
  t.teardown(async () => {
    await closed.close();
    await http.close();
  });
  const lines: any[] = [];
  const { createWeb } = await import('../../src/http/web.js');
  const app = createWeb({
    ...http.app,
    db: closed,
    log: pino({ level: 'error' }, { write: (line) => lines.push(JSON.parse(line)) }),
    readiness: async () => ({ mysql: false, temporal: true }),
  });
  const server = await startServer(app, http.config);
  t.teardown(() => server.close());

  const { status } = await fetch(`${server.url}/api/v2/account`, {
    headers: { 'x-client-id': 'a', 'x-client-secret': 'b' },
  });

  t.is(status, 503);
  t.regex(lines[0].error.message, /Access denied for user 'nobody'/);
});

test('closing finishes the request under way and takes no new one', async (t) => {
  let finish: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const server = await startServer(
    (_req, res) => {
      finish = () => res.end('done');
      arrived();
    },
    { host: '127.0.0.1', port: 0, shutdownGraceMs: 5000 },
  );
  const answer = fetch(server.url);
  await isThere;

  const closed = server.close();
  await t.throwsAsync(fetch(server.url));
  finish();

  t.is(await (await answer).text(), 'done');
  await closed;
});

test('a server that is about to close takes requests, each with the word that its connection ends', async (t) => {
  const server = await startServer((_req, res) => res.end('done'), {
    host: '127.0.0.1',
    port: 0,
    shutdownGraceMs: 5000,
  });
  const before = await fetch(server.url);

  const closed = server.close(patient(1000));
  const answers = await Promise.all([fetch(server.url), fetch(server.url)]);

  t.is(before.headers.get('connection'), 'keep-alive');
  t.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('connection')]),
    [
      [200, 'close'],
      [200, 'close'],
    ],
  );
  await closed;
});

test('a taken port is an error', async (t) => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  t.teardown(() => blocker.close());
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  await t.throwsAsync(
    startServer(() => undefined, { host: '127.0.0.1', port, shutdownGraceMs: 100 }),
    { code: 'EADDRINUSE' },
  );
});
