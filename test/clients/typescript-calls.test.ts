import test from 'ava';
import { client } from '../support/typescript-client.js';

const SECRET = 'sk_very-secret';
const BODY = { ship_data: { contact_name: 'Dana Levi' }, order: { id: '7' } };
const DONE = { data: { uuid: 'one', status: { code: 'a status of tomorrow' }, added_field: 1 } };

type Step = Response | Error | ((init: RequestInit) => Promise<Response>);

/** A client whose service does these steps, the last one again and again. */
function scripted(steps: readonly Step[], options: object = {}): { parcels: any; sent: any[] } {
  const sent: any[] = [];
  const parcels = new client.Parcelworks({
    baseUrl: 'https://parcels.test',
    clientId: 'ci_1',
    clientSecret: SECRET,
    ...options,
    fetch: async (url: string, init: RequestInit) => {
      const step = steps[Math.min(sent.length, steps.length - 1)];
      sent.push({ url: new URL(url), ...init });
      if (typeof step === 'function') return await step(init);
      if (step instanceof Error) throw step;
      return step?.clone();
    },
  });
  return { parcels, sent };
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer(status, { error: { code, message: code, status } }, headers);
const busy = refusal(429, 'rate_limited', { 'retry-after': '0' });
const cut = new TypeError('fetch failed');
const never = (init: RequestInit) =>
  new Promise<Response>((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

test('createShipment: one key and one request id in all tries when the connection is cut; values of tomorrow pass', async (t) => {
  const { parcels, sent } = scripted([cut, busy, answer(201, DONE)]);

  const created = await parcels.createShipment(BODY);

  t.is(created.tries, 3);
  t.deepEqual(created.data, DONE.data);
  t.deepEqual(
    sent.map(({ headers }) => [headers['Idempotency-Key'], headers['X-Request-Id']]),
    Array(3).fill([created.key, created.requestId]),
  );
});

test('hooks and log: each try with its key and app, and no secret, query or body', async (t) => {
  const lines: string[] = [];
  const seen: any[] = [];
  const { parcels } = scripted([cut, answer(200, { data: [] })], {
    appName: 'my-shop/1',
    log: (line: string) => lines.push(line),
    onTry: (sent: object) => seen.push(sent),
    onTried: (tried: object) => seen.push(tried),
  });

  await parcels.listPickupPoints({ license_key: 'lic_secret', city: 'Haifa' });

  t.deepEqual(
    seen.map(({ appName, path, attempt, status, error }) => [appName, path, attempt, status, error?.message]),
    [
      ['my-shop/1', '/api/v2/pickup-points', 1, undefined, undefined],
      ['my-shop/1', '/api/v2/pickup-points', 1, undefined, 'fetch failed'],
      ['my-shop/1', '/api/v2/pickup-points', 2, undefined, undefined],
      ['my-shop/1', '/api/v2/pickup-points', 2, 200, undefined],
    ],
  );
  t.is(lines.length, 2);
  t.notRegex(JSON.stringify([lines, seen]), /secret|Haifa/);
});

test('createShipment: unknown when no try is answered, also when a later one is refused before its key is looked at', async (t) => {
  for (const last of [cut, refusal(401, 'unauthenticated'), refusal(403, 'forbidden'), busy]) {
    const { parcels } = scripted([cut, last], { maxTries: 2 });

    const error = await t.throwsAsync<any>(parcels.createShipment(BODY, { key: 'k1' }));

    t.like(error, { name: 'UnknownOutcomeError', key: 'k1', tries: 2, isSafeToRepeat: true });
  }
  const { parcels } = scripted([cut, refusal(422, 'carrier_rejected')]);
  const known = await t.throwsAsync<any>(parcels.createShipment(BODY));
  t.like(known, { name: 'ApiError', code: 'carrier_rejected', tries: 2 });
});

test('resolve: asks by the same key and body until it is known, and ends with its signal', async (t) => {
  const { parcels, sent } = scripted([cut, cut, answer(201, DONE)], { maxTries: 1 });
  const error = await t.throwsAsync<any>(parcels.createShipment(BODY));
  const stopped = await t.throwsAsync<any>(error.resolve({ timeoutMs: 1 }));

  const resolved = await error.resolve();

  t.is(stopped.name, 'UnknownOutcomeError');
  t.is(resolved.key, error.key);
  t.deepEqual(new Set(sent.map(({ headers, body }) => headers['Idempotency-Key'] + body)).size, 1);
  const refused = scripted([cut, refusal(422, 'carrier_rejected')], { maxTries: 1 });
  const open = await t.throwsAsync<any>(refused.parcels.createShipment(BODY));
  t.is((await t.throwsAsync<any>(open.resolve())).code, 'carrier_rejected');
});

test('resolve: stays unknown when it is refused before its key is looked at, and waits where that may pass', async (t) => {
  const barred = scripted([cut, refusal(401, 'unauthenticated')], { maxTries: 1 });
  const limited = scripted([cut, busy, answer(201, DONE)], { maxTries: 1 });
  const [one, other] = [barred, limited].map(({ parcels }) =>
    t.throwsAsync<any>(parcels.createShipment(BODY)),
  );

  const still = await t.throwsAsync<any>((await one).resolve());
  const resolved = await (await other).resolve();

  t.like(still, { name: 'UnknownOutcomeError', cause: { code: 'unauthenticated' } });
  t.deepEqual(resolved.data, DONE.data);
});

test('a hook that throws hides nothing: the creation is answered', async (t) => {
  const hook = () => {
    throw new Error('the hook of a shop');
  };
  const { parcels } = scripted([answer(201, DONE)], { onTry: hook, onTried: hook, log: hook });

  t.deepEqual((await parcels.createShipment(BODY)).data, DONE.data);
});

test('a change without a key: sent once when there is no answer, again when nothing was done', async (t) => {
  const lost = scripted([cut]);
  const limited = scripted([busy, answer(201, { data: { secret: 'whsec_1' } })]);
  const cancelled = scripted([cut, answer(200, DONE)]);
  const webhook = { url: 'https://shop.test', events: ['shipment.created'] };

  const error = await t.throwsAsync<any>(lost.parcels.createWebhook(webhook));
  await limited.parcels.createWebhook(webhook);
  await cancelled.parcels.cancelShipment('one');

  t.like(error, { name: 'ConnectionError', isSafeToRepeat: false, key: undefined });
  t.deepEqual(
    [lost, limited, cancelled].map(({ sent }) => sent.length),
    [1, 2, 2],
  );
});

test('Retry-After: waited for, and an error at once where it is longer than the cap', async (t) => {
  const soon = scripted([refusal(429, 'rate_limited', { 'retry-after': '1' }), answer(200, DONE)]);
  const late = scripted([refusal(429, 'rate_limited', { 'retry-after': '3600' })]);
  const startedAt = Date.now();

  await soon.parcels.getShipment('one');
  const waitedMs = Date.now() - startedAt;
  const error = await t.throwsAsync<any>(late.parcels.getShipment('one'));

  t.true(waitedMs >= 1000);
  t.like(error, { code: 'rate_limited', retryAfterMs: 3_600_000, tries: 1 });
});

test('time-outs and signals: a read ends with the reason, a creation that was sent is unknown', async (t) => {
  const reason = new Error('the merchant left');
  const stop = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 20);
    return { signal: controller.signal };
  };
  const { parcels, sent } = scripted([never]);

  const slow = await t.throwsAsync<any>(parcels.getShipment('one', { tryTimeoutMs: 20, maxTries: 2 }));
  const left = await t.throwsAsync<any>(parcels.getShipment('one', stop()));
  const open = await t.throwsAsync<any>(parcels.createShipment(BODY, stop()));
  const before = sent.length;
  const unsent = await t.throwsAsync<any>(
    parcels.createShipment(BODY, { signal: AbortSignal.abort(reason) }),
  );

  t.like(slow, { name: 'ConnectionError', tries: 2 });
  t.is(left, reason);
  t.is(open.name, 'UnknownOutcomeError');
  t.is(unsent, reason);
  t.is(sent.length, before);
});

test('options and keys that cannot be sent: an error that names them, and no creation of which nobody knows', async (t) => {
  const wrong: [RegExp, object][] = [
    [/^baseUrl /, { baseUrl: undefined }],
    [/^baseUrl /, { baseUrl: 'parcels.test' }],
    [/^clientId /, { clientId: undefined }],
    [/^clientSecret /, { clientSecret: 'sk_סוד' }],
    [/^clientSecret /, { clientSecret: `${SECRET}\n` }],
    [/^appName /, { appName: 'חנות' }],
  ];
  const { parcels, sent } = scripted([answer(201, DONE)]);

  for (const [message, options] of wrong)
    t.throws(() => scripted([], options), { name: 'TypeError', message });
  for (const key of ['', ' ', 'a b', 'a\nb', 'a\n', 'מפתח', 'k'.repeat(256)]) {
    await t.throwsAsync(parcels.createShipment(BODY, { key }), { name: 'TypeError', message: /^key / });
  }

  t.is(sent.length, 0);
});

test('baseUrl: the address of the service, also with the path of the API and slashes at its end', async (t) => {
  for (const end of ['', '/', '/api/v2', '/api/v2/', '/shipping/api/v2//']) {
    const { parcels, sent } = scripted([answer(201, DONE)], { baseUrl: `https://parcels.test${end}` });

    await parcels.createShipment(BODY);

    t.is(sent[0].url.pathname, `${end.startsWith('/shipping') ? '/shipping' : ''}/api/v2/shipments`);
  }
});

test('a redirect and a page of a proxy are no answers of the API', async (t) => {
  const moved = scripted([new Response(null, { status: 301, headers: { location: 'https://other.test' } })]);
  const page = scripted([new Response('<h1>Welcome</h1>')], { maxTries: 1 });

  const redirected = await t.throwsAsync<any>(moved.parcels.createShipment(BODY));
  const open = await t.throwsAsync<any>(page.parcels.createShipment(BODY));

  t.like(redirected, { name: 'ApiError', code: 'unreadable', status: 301, tries: 1 });
  t.regex(redirected.message, /leads to https:\/\/other\.test,.* baseUrl/);
  t.is(moved.sent[0].redirect, 'manual');
  t.is(open.name, 'UnknownOutcomeError');
  t.regex(open.message, /none of the API's\. Is baseUrl right/);
});

for (const [kind, method, parameter] of [
  ['number', 'listShipments', 'page'],
  ['cursor', 'listOrders', 'cursor'],
] as const) {
  test(`${method}: every row once, by ${kind}, when a page is refused with 429`, async (t) => {
    const page = (id: string, next: string | null) =>
      answer(200, {
        data: [{ id }],
        // Another host: the service behind a proxy may know itself by it.
        links: { next: next === null ? null : `http://inside/api/v2/x?per_page=1&${parameter}=${next}` },
        meta: {},
      });
    const { parcels, sent } = scripted([page('a', '2'), busy, page('b', '3'), cut, page('c', null)]);

    const rows: string[] = [];
    for await (const { id } of parcels[method]({ per_page: 1 })) rows.push(id);

    t.deepEqual(rows, ['a', 'b', 'c']);
    t.deepEqual(
      sent.map(({ url }) => [url.host, url.searchParams.get(parameter)]),
      [null, '2', '2', '3', '3'].map((at) => ['parcels.test', at]),
    );
  });
}
