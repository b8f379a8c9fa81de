import { request } from 'node:http';
import test from 'ava';
import { pino } from 'pino';
import { openDatabase } from '../../src/db/database.js';
import { RateLimiter } from '../../src/http/middleware/rate-limit.js';
import { earlyInTheMinute, eventually } from '../support/conditions.js';
import { createTestDatabase } from '../support/database.js';
import { type HttpStack, startHttp } from '../support/http.js';

const silent = pino({ level: 'silent' });

test('rate limit: requests of a process are counted at once and cost no statement each', async (t) => {
  const statements: string[] = [];
  const database = await createTestDatabase(undefined, (sql) => void statements.push(sql));
  t.teardown(() => database.drop());
  await earlyInTheMinute();
  const limiter = new RateLimiter(database.db, silent);
  statements.length = 0;

  const states = Array.from({ length: 700 }, () => limiter.hit('client:1', 600));
  await eventually(async () => statements.length > 0, 'a merge');

  t.is(states.filter(({ exceeded }) => exceeded).length, 100);
  t.is(states[0]?.remaining, 599);
  t.deepEqual(
    statements.map((sql) => sql.slice(0, 6)).filter((verb) => verb === 'INSERT'),
    ['INSERT'],
  );
  t.true(statements.length <= 2, statements.join('\n'));
});

test('rate limit: what one process counted is soon known to another', async (t) => {
  const database = await createTestDatabase();
  t.teardown(() => database.drop());
  await earlyInTheMinute();
  const [one, other] = [new RateLimiter(database.db, silent), new RateLimiter(database.db, silent)];
  for (let count = 0; count < 40; count++) one.hit('client:1', 100);
  await eventually(async () => {
    const [row] = await database.db.select('SELECT hits FROM rate_limits');
    return row?.hits === 40;
  }, 'the count of the first process in the store');

  other.hit('client:1', 100);
  await eventually(() => other.hit('client:1', 100, 0).remaining === 59, 'the merged count');
  for (let count = 0; count < 100; count++) other.hit('client:1', 100);

  t.true(other.hit('client:1', 100).exceeded);
  t.is(other.blocked('client:1', 100)?.remaining, 0);
  t.is(one.blocked('client:2', 100), null);
});

test('rate limit: without its store a process counts for itself', async (t) => {
  const db = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  t.teardown(() => db.close());
  const limiter = new RateLimiter(db, silent);

  const states = Array.from({ length: 5 }, () => limiter.hit('k', 1));

  t.true(states.some((state) => state.exceeded));
});

async function failUntilRefused(http: HttpStack, headers: Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < 12 && statuses.at(-1) !== 429; count++) {
    statuses.push((await http.send('GET', '/account', { headers })).status);
  }
  return statuses;
}

test('authentication: an address with too many failures gets in with right credentials, and is refused without', async (t) => {
  const statements: string[] = [];
  const http = await startHttp({
    config: { authFailuresPerMinute: 3 },
    onQuery: (sql) => void statements.push(sql),
  });
  t.teardown(() => http.close());
  await earlyInTheMinute();
  const account = await http.account();
  const wrong = { ...account.headers, 'x-client-secret': 'sk_wrong' };

  const guesses = await failUntilRefused(http, wrong);
  const first = await http.send('GET', '/account', { as: account });
  const again = await http.send('GET', '/account', { as: account });
  statements.length = 0;
  const repeated = await http.send('GET', '/account', { headers: wrong });

  t.deepEqual(guesses, [401, 401, 401, 429]);
  t.deepEqual([first.status, again.status, repeated.status], [200, 200, 429]);
  t.deepEqual(
    statements.filter((sql) => sql.includes('client_secret_hash')),
    [],
  );
});

test('authentication: from blocked addresses only a limited number of unknown credentials are looked up', async (t) => {
  const lookups: string[] = [];
  const http = await startHttp({
    config: { authFailuresPerMinute: 3 },
    onQuery: (sql) => void (sql.includes('client_secret_hash') && lookups.push(sql)),
  });
  t.teardown(() => http.close());
  await earlyInTheMinute();
  const account = await http.account();
  await http.send('GET', '/account', { as: account });
  await failUntilRefused(http, { 'x-client-id': 'ck', 'x-client-secret': 'sk' });
  lookups.length = 0;

  const startedAt = Date.now();
  const guess = (n: number) =>
    http.send('GET', '/account', { headers: { 'x-client-id': `ck_${n}`, 'x-client-secret': 'sk' } });
  const statuses: number[] = [];
  for (let n = 0; n < 400; n += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(n + index)));
    statuses.push(...answers.map(({ status }) => status));
  }
  const seconds = (Date.now() - startedAt) / 1000;
  const known = await http.send('GET', '/account', { as: account });

  t.deepEqual([...new Set(statuses)], [429]);
  t.true(lookups.length <= 102 + 20 * seconds, `${lookups.length} in ${seconds} s`);
  t.is(known.status, 200);
});

test('authentication: requests without credentials count as failures too', async (t) => {
  const http = await startHttp({ config: { authFailuresPerMinute: 3 } });
  t.teardown(() => http.close());
  await earlyInTheMinute();

  const statuses = await failUntilRefused(http, {});

  t.deepEqual(statuses, [401, 401, 401, 429]);
});

test('rate limit: a client that is over its limit costs no statement', async (t) => {
  const statements: string[] = [];
  const http = await startHttp({
    config: { rateLimitPerMinute: 3 },
    onQuery: (sql) => void statements.push(sql),
  });
  t.teardown(() => http.close());
  await earlyInTheMinute();
  const account = await http.account();
  for (let count = 0; count < 4; count++) await http.send('GET', '/account', { as: account });
  const countOf = (start: string) => statements.filter((sql) => sql.startsWith(start)).length;
  await eventually(async () => {
    const [row] = await http.db.select('SELECT hits FROM rate_limits');
    return row?.hits === 3 && countOf('SELECT key_hash') === countOf('INSERT INTO rate_limits');
  }, 'the merge of what was counted');
  statements.length = 0;

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => http.send('GET', '/account', { as: account })),
  );

  t.deepEqual([...new Set(answers.map(({ status }) => status))], [429]);
  t.deepEqual(statements, []);
});

test('rate limit: the body bytes of a client are limited per minute, announced or not', async (t) => {
  const http = await startHttp({ config: { bodyBytesPerMinute: 10_000 } });
  t.teardown(() => http.close());
  await earlyInTheMinute();
  const [one, other] = [await http.account(), await http.account()];
  const large = JSON.stringify({ text: 'x'.repeat(6000) });

  const announced = [
    await http.send('POST', '/shipments', { as: one, raw: large }),
    await http.send('POST', '/shipments', { as: one, raw: large }),
    await http.send('GET', '/account', { as: one }),
  ];
  const chunked = [
    await sendChunked(http, other.headers, large),
    await sendChunked(http, other.headers, large),
    (await http.send('POST', '/shipments', { as: other, raw: '{}' })).status,
  ];

  t.deepEqual(
    announced.map(({ status }) => status),
    [403, 429, 200],
  );
  t.is(announced[1]?.body.error.message, 'Too many bytes in request bodies. Try again later.');
  t.true(Number(announced[1]?.headers.get('retry-after')) >= 1);
  t.is(announced[1]?.headers.get('x-ratelimit-limit'), String(http.config.rateLimitPerMinute));
  t.deepEqual(chunked, [403, 429, 429]);
});

function sendChunked(http: HttpStack, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${http.url}/api/v2/shipments`,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
      (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      },
    );
    sent.once('error', reject);
    sent.write(body.slice(0, 10));
    sent.end(body.slice(10));
  });
}

for (const path of ['/api/v2/openapi.json', '/api/v2/ping', '/api/v2/nothing', '/api/nothing', '/nothing']) {
  test(`GET ${path}: an address gets a limited number of answers a minute`, async (t) => {
    const http = await startHttp({ config: { openRateLimitPerMinute: 2, trustProxy: 1 } });
    t.teardown(() => http.close());
    await earlyInTheMinute();
    const from = async (address: string) =>
      (
        await fetch(`${http.url}${path}`, {
          headers: { 'x-forwarded-for': address, accept: 'application/json' },
        })
      ).status;

    const statuses = [await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.1')];

    t.not(statuses[1], 429);
    t.is(statuses[2], 429);
    t.is(await from('203.0.113.2'), statuses[0] ?? 0);
  });
}
