import test from 'ava';
import type { Owner } from '../../support/clean-ups.js';
import { earlyInTheMinute, eventually } from '../../support/conditions.js';
import { openRequest } from '../../support/held-requests.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { query, sendV1, userToken } from '../../support/v1.js';

const ROUTE = '/shipping/get_shipping_status';

/** Sends requests without a token until the address is refused. */
async function block(http: HttpStack): Promise<void> {
  await eventually(async () => (await sendV1(http, 'POST', ROUTE)).status === 429, 'the refusal');
}

function askWith(http: HttpStack, token: string) {
  return sendV1(http, 'POST', ROUTE, { json: { token } });
}

/** A service with a low limit, an account, and the statements that look a token up. */
async function watchedTokens(owner: Owner) {
  const lookups: string[] = [];
  const http = await startHttp({
    config: { v1RateLimitPerMinute: 3 },
    onQuery: (sql) => void (sql.includes('personal_access_tokens t') && lookups.push(sql)),
  });
  owner.teardown(() => http.close());
  return { http, merchant: await http.account(), lookups };
}

function guess(n: number): string {
  return `1|${String(n).padStart(40, 'a')}`;
}

test('v1: from a blocked address few unknown tokens are looked up, and right ones get in', async (t) => {
  const { http, merchant, lookups } = await watchedTokens(t);
  const [fresh, known] = [await userToken(http, merchant.id), await userToken(http, merchant.id)];
  await earlyInTheMinute();
  await askWith(http, known);
  await block(http);
  const first = await askWith(http, fresh);
  lookups.length = 0;

  const startedAt = Date.now();
  const statuses: number[] = [];
  for (let n = 0; n < 400; n += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => askWith(http, guess(n + index))),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  const seconds = (Date.now() - startedAt) / 1000;
  const looked = lookups.length;
  const again = await askWith(http, known);

  t.deepEqual([...new Set(statuses)], [429]);
  t.true(looked <= 102 + 20 * seconds, `${looked} in ${seconds} s`);
  t.deepEqual([first.status, again.status], [422, 422]);
});

test('v1: a wrong token that a blocked address sends again, and a user over the limit, cost no statement', async (t) => {
  const { http, merchant, lookups } = await watchedTokens(t);
  const token = await userToken(http, merchant.id);
  await earlyInTheMinute();
  await block(http);
  await askWith(http, guess(0));
  await eventually(async () => (await askWith(http, token)).status === 429, 'the end of what the user may');
  lookups.length = 0;

  const again = [await askWith(http, guess(0)), await askWith(http, token)];

  t.deepEqual(
    again.map(({ status }) => status),
    [429, 429],
  );
  t.deepEqual(lookups, []);
});

test('v1: a blocked address is refused before its body once it has sent its limit of bytes', async (t) => {
  const http = await startHttp({ config: { v1RateLimitPerMinute: 3, bodyBytesPerMinute: 10_000 } });
  t.teardown(() => http.close());
  const merchant = await http.account();
  const token = await userToken(http, merchant.id);
  await earlyInTheMinute();
  await block(http);
  const open = async () => {
    const { socket, answer } = await openRequest(http, `/api${ROUTE}`, {}, 100);
    socket.destroy();
    return answer;
  };

  const before = await open();
  for (let count = 0; count < 2; count += 1) {
    await sendV1(http, 'POST', ROUTE, { json: { text: 'x'.repeat(6000) } });
  }
  const after = await open();
  const inQuery = await sendV1(http, 'POST', `${ROUTE}${query({ token })}`, { json: { x: 1 } });

  t.is(before, 'HTTP/1.1 100');
  t.is(after, 'HTTP/1.1 429');
  t.is(inQuery.status, 422);
});

test('v1: wrong license keys count as failed authentications of their address; a right one gets in', async (t) => {
  const http = await startHttp({ config: { authFailuresPerMinute: 6 } });
  t.teardown(() => http.close());
  const merchant = await http.account();
  const { key } = await http.license(merchant.id);
  await earlyInTheMinute();
  const ask = (path: string, license_key: string) =>
    sendV1(http, 'GET', `${path}${query({ license_key, domain: 'shop.example' })}`);
  const routes = ['/license/check_license', '/license/activate_license'];
  const guesses: number[] = [];
  for (const n of [0, 1]) {
    for (const path of routes) guesses.push((await ask(path, `guess-${n}`)).status);
    const json = { license_key: `guess-${n}`, domain: 'shop.example' };
    guesses.push((await sendV1(http, 'POST', ROUTE, { json })).status);
  }

  const refused = await Promise.all(routes.map((path) => ask(path, 'guess-7')));
  const alsoRefused = await sendV1(http, 'POST', ROUTE, { json: { license_key: 'x', domain: 'y' } });
  const right = await ask('/license/check_license', key);

  t.deepEqual(guesses, [200, 200, 403, 200, 200, 403]);
  t.deepEqual(
    [...refused, alsoRefused].map(({ status }) => status),
    [429, 429, 429],
  );
  t.deepEqual(alsoRefused.body, { message: 'Too Many Attempts.' });
  t.is(right.status, 200, right.text);
  t.is(right.body.error ?? undefined, undefined);
});
