import type { IncomingMessage, ServerResponse } from 'node:http';
import test from 'ava';
import type { Request, Response } from 'express';
import { Overloaded } from '../../../src/domain/errors.js';
import { LoadGate } from '../../../src/http/load-gate.js';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { earlyInTheMinute } from '../../support/conditions.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, cookieWith } from '../../support/panel.js';

test('GET /panel: 429 in words, without a statement, when a user asks too often; others go on', async (t) => {
  let statements = 0;
  const http = await startHttp({ onQuery: () => void statements++ });
  t.teardown(() => http.close());
  const [cookie, other] = [await cookieOf(http, 'operator'), await cookieOf(http, 'operator')];
  const ask = (own: string, path = '/nonsense') =>
    askPanel(`${http.url}/panel${path}`, { headers: { cookie: own, 'accept-language': 'en' } });
  await earlyInTheMinute();
  for (let sent = 0; sent < LIMITS.panel.requestsOfUser; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask(cookie)));
  }
  const before = statements;

  const refused = await ask(cookie, '/profile');

  t.is(refused.status, 429);
  t.regex(refused.text, /Too many requests\. Go on in \d+ seconds\./);
  t.true(statements - before <= 2, 'no look-up but a merge of counts');
  t.is((await ask(other, '/profile')).status, 200);
});

test('GET /panel: 429 when an address makes up sessions; who was there before gets in', async (t) => {
  let statements = 0;
  const http = await startHttp({
    config: { openRateLimitPerMinute: 5 },
    onQuery: (sql) => void (statements += sql.includes('panel_sessions') ? 1 : 0),
  });
  t.teardown(() => http.close());
  const cookie = await cookieOf(http, 'operator');
  const statusOf = async (own: string) =>
    (await askPanel(`${http.url}/panel/profile`, { headers: { cookie: own } })).status;
  await earlyInTheMinute();
  t.is(await statusOf(cookie), 200);
  for (let sent = 0; sent < 5; sent += 1) t.is(await statusOf(cookieWith(`made up ${sent}`)), 303);

  const again = cookieWith('made up 0');
  const before = statements;
  const refused = await statusOf(again);

  t.is(refused, 429);
  t.is(statements, before);
  t.is((await askPanel(`${http.url}/panel/sign-in`)).status, 429, 'the sign-in counts too');
  t.is(await statusOf(cookie), 200);
});

test('POST /panel/a/{account}/batches/new: counts as a request of the account to the API', async (t) => {
  const http = await startHttp({ config: { rateLimitPerMinute: 2 } });
  t.teardown(() => http.close());
  const { account, license } = await http.own();
  const cookie = await cookieOf(http, 'staff', account.id);
  const form = { license: String(license.id), items: '[]', key: 'a key of this form' };
  const create = (key: string) =>
    askPanel(`${http.url}/panel/a/${account.id}/batches/new`, {
      form: { ...form, key },
      headers: { cookie, 'accept-language': 'en' },
    });
  await earlyInTheMinute();
  const statuses = [];
  for (const key of ['the-first-form-0', 'the-second-form-']) statuses.push((await create(key)).status);

  const refused = await create('the-third-form-0');

  t.deepEqual(statuses, [422, 422]);
  t.regex(refused.text, /Too many requests/);
  t.is((await http.send('GET', '/licenses', { as: account })).status, 429);
});

test('LoadGate: a caller has half of the working requests, and others the rest', async (t) => {
  const gate = new LoadGate({ maxOpenRequests: 100, maxWorkingRequests: 4, maxLoopDelayMs: 0 });
  const enter = () => {
    const listeners = new Map<string, () => void>();
    const req = { ip: '127.0.0.1', headers: {} } as unknown as Request & IncomingMessage;
    const res = {
      once: (name: string, listener: () => void) => listeners.set(name, listener),
    } as unknown as Response & ServerResponse;
    gate.enter(req, res, () => undefined);
    return { req, end: () => listeners.get('close')?.() };
  };
  const [first, second, third, fourth] = [enter(), enter(), enter(), enter()];
  gate.claim(first.req, 'one');
  gate.claim(second.req, 'one');
  gate.claim(second.req, 'one');

  t.throws(() => gate.claim(third.req, 'one'), { instanceOf: Overloaded });
  gate.claim(fourth.req, 'other');
  await gate.whileWaiting(first.req, 'one', async () => gate.claim(third.req, 'one'));
  t.throws(() => gate.claim(enter().req, 'one'), { instanceOf: Overloaded }, 'it works again');
  for (const { end } of [first, second, third]) end();
  t.notThrows(() => gate.claim(enter().req, 'one'));
});

test('GET and POST /panel: an overloaded process answers with a page of the panel, 503 and when to try again', async (t) => {
  const http = await startHttp({ config: { maxOpenRequests: 0 } });
  t.teardown(() => http.close());
  const send = async (init: RequestInit) =>
    await fetch(`${http.url}/panel/sign-in`, { ...init, headers: { 'accept-language': 'he' } });

  const page = await send({});
  const form = await send({ method: 'POST', body: new URLSearchParams({ email: 'a@example.test' }) });

  for (const answer of [page, form]) {
    t.is(answer.status, 503);
    t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    t.truthy(answer.headers.get('retry-after'));
  }
  t.regex(await page.text(), /<html lang="he" dir="rtl">.*השירות לא זמין/s);
});
