import { randomUUID } from 'node:crypto';
import test from 'ava';
import { loadSubscription } from '../../src/db/queries/webhooks/webhooks.js';
import { forbiddenUrls, malformedUrls } from '../support/forbidden-urls.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../support/http.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';
import { assertSigned } from '../support/webhooks.js';

let http: HttpStack;
let strict: HttpStack;
let receiver: Receiver;
let account: HttpAccount;

test.before(async () => {
  [http, strict, receiver] = await Promise.all([
    startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } }),
    startHttp(),
    startReceiver(),
  ]);
  account = await http.account();
  await http.license(account.id);
});
test.after.always(() => Promise.all([http?.close(), strict?.close(), receiver?.close()]));

const EVENTS = ['shipment.created', 'shipment.delivered'];

async function own(): Promise<{ owner: HttpAccount; license: HttpLicense }> {
  const owner = await http.account();
  return { owner, license: await http.license(owner.id) };
}

async function create(owner: HttpAccount, body: object = {}) {
  const answer = await http.send('POST', '/webhooks', {
    as: owner,
    json: { url: `${receiver.url}/${randomUUID()}`, events: EVENTS, ...body },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data as { id: string; secret: string; url: string };
}

test('a webhook is created with its secret, and read, listed, changed and deleted without it', async (t) => {
  const { owner } = await own();

  const created = await http.send('POST', '/webhooks', {
    as: owner,
    json: {
      url: `${receiver.url}/a`,
      events: [...EVENTS, EVENTS[0]],
      id: 'x',
      secret: 'mine',
      is_active: false,
    },
  });
  const { id, secret, ...shown } = created.body.data;
  const path = `/webhooks/${id}`;
  const read = await http.send('GET', path, { as: owner });
  const listed = await http.send('GET', '/webhooks', { as: owner });
  const changed = await http.send('PATCH', path, {
    as: owner,
    json: { events: ['shipment.cancelled'], is_active: false },
  });
  const same = await http.send('PATCH', path.toUpperCase().replace('/WEBHOOKS', '/webhooks'), {
    as: owner,
    json: {},
  });
  const removed = await http.send('DELETE', path, { as: owner });
  const again = await http.send('DELETE', path, { as: owner });

  t.is(created.status, 201, created.text);
  t.is(created.headers.get('location'), `https://api.parcels.test/api/v2/webhooks/${id}`);
  t.regex(secret, /^whsec_[A-Za-z0-9]{40}$/);
  t.like(shown, { url: `${receiver.url}/a`, events: EVENTS, is_active: true });
  t.deepEqual(read.body.data, { id, ...shown });
  t.deepEqual(listed.body.data, [read.body.data]);
  t.like(changed.body.data, { url: shown.url, events: ['shipment.cancelled'], is_active: false });
  t.true(changed.body.data.updated_at > shown.updated_at);
  t.deepEqual(same.body.data, changed.body.data);
  t.is(removed.status, 204);
  t.is(removed.text, '');
  t.is(again.status, 404);
  t.deepEqual((await http.send('GET', '/webhooks', { as: owner })).body.data, []);
  const [row] = await http.db.select('SELECT HEX(secret) AS secret FROM webhook_subscriptions WHERE id = ?', [
    id,
  ]);
  t.false(Buffer.from(String(row?.secret), 'hex').includes(secret.slice(6)));
});

test('a license has twenty webhooks at most, also when they are made at once', async (t) => {
  const { owner, license } = await own();
  const other = await http.license(owner.id);
  const make = () =>
    http.send('POST', '/webhooks', {
      as: owner,
      json: { url: receiver.url, events: EVENTS, license_key: license.key },
    });

  const answers = await Promise.all(Array.from({ length: 25 }, make));
  await create(owner, { license_key: other.key });
  const refused = await make();
  const gone = answers.find(({ status }) => status === 201)?.body.data.id;
  await http.send('DELETE', `/webhooks/${gone}?license_key=${license.key}`, { as: owner });
  const again = await make();

  t.is(answers.filter(({ status }) => status === 201).length, 20);
  t.is(refused.status, 422, refused.text);
  t.deepEqual(Object.keys(refused.body.error.fields), ['url']);
  t.is(again.status, 201, again.text);
});

test('a license key of null is as none', async (t) => {
  const { owner } = await own();
  const body = { license_key: null };
  const { id } = await create(owner, body);
  const answers = [
    await http.send('PATCH', `/webhooks/${id}`, { as: owner, json: { ...body, events: EVENTS } }),
    await http.send('POST', `/webhooks/${id}/rotate-secret`, { as: owner, json: body }),
    await http.send('POST', `/webhooks/${id}/replay`, { as: owner, json: { ...body, since: '2026-01-01' } }),
    await http.send('POST', `/webhooks/${id}/ping`, { as: owner, json: body }),
  ];

  for (const { status, text } of answers) t.true(status < 300, text);
});

test('webhooks belong to a license, and it must be named where several are active', async (t) => {
  const { owner, license } = await own();
  const second = await http.license(owner.id);

  const ambiguous = await http.send('POST', '/webhooks', {
    as: owner,
    json: { url: receiver.url, events: EVENTS },
  });
  const { id } = await create(owner, { license_key: second.key });

  t.is(ambiguous.status, 422);
  t.truthy(ambiguous.body.error.fields.license_key);
  t.is((await http.send('GET', `/webhooks/${id}`, { as: owner })).status, 422);
  t.is((await http.send('GET', `/webhooks/${id}?license_key=${second.key}`, { as: owner })).status, 200);
  t.is((await http.send('GET', `/webhooks/${id}?license_key=${license.key}`, { as: owner })).status, 404);
  t.is((await http.send('DELETE', `/webhooks/${id}?license_key=${license.key}`, { as: owner })).status, 404);
  const pinged = await http.send('POST', `/webhooks/${id}/ping`, {
    as: owner,
    json: { license_key: license.key },
  });
  t.is(pinged.status, 404);
});

test('a ping is sent once, signed, and its delivery is the answer', async (t) => {
  const { owner } = await own();
  const { id, secret, url } = await create(owner);

  const pinged = await http.send('POST', `/webhooks/${id}/ping`, { as: owner });

  t.is(pinged.status, 200, pinged.text);
  const delivery = pinged.body.data;
  t.like(delivery, { webhook_id: id, event: 'ping', status: 'succeeded', next_attempt_at: null });
  t.is(delivery.attempts.length, 1);
  t.like(delivery.attempts[0], { number: 1, response_status: 200, response_body: 'ok', error: null });
  const [request, ...others] = receiver.requests.filter((one) => url.endsWith(one.path));
  t.is(others.length, 0);
  assertSigned(t, request!, secret);
  t.deepEqual(JSON.parse(request?.body ?? ''), delivery.payload);
  t.is(delivery.payload.event, 'ping');
  const read = await http.send('GET', `/webhooks/${id}/deliveries/${delivery.id}`, { as: owner });
  t.deepEqual(read.body.data, delivery);
});

test('a ping tells why it failed, and 410 turns the webhook off', async (t) => {
  const { owner } = await own();
  const refusing = await startReceiver();
  t.teardown(() => refusing.close());
  const { id } = await create(owner, { url: refusing.url });
  const ping = () => http.send('POST', `/webhooks/${id}/ping`, { as: owner });

  refusing.behave({ kind: 'answer', status: 500, body: 'oops '.repeat(1000) });
  const failed = await ping();
  refusing.behave({ kind: 'answer', status: 410 });
  const gone = await ping();

  t.like(failed.body.data, { status: 'failed' });
  t.like(failed.body.data.attempts[0], {
    response_status: 500,
    response_body: 'oops '.repeat(1000).slice(0, 2048),
  });
  t.is(gone.body.data.status, 'failed');
  t.false((await http.send('GET', `/webhooks/${id}`, { as: owner })).body.data.is_active);
});

test('deliveries come in pages that keep their filters, newest first', async (t) => {
  const { owner } = await own();
  const { id } = await create(owner);
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    made.unshift((await http.send('POST', `/webhooks/${id}/ping`, { as: owner })).body.data.id);
  }
  const get = (query: string) => http.send('GET', `/webhooks/${id}/deliveries?${query}`, { as: owner });

  const first = await get('per_page=2&filter[status]=succeeded');
  const second = await http.send('GET', first.body.links.next.split('/api/v2')[1], { as: owner });
  const back = await http.send('GET', second.body.links.prev.split('/api/v2')[1], { as: owner });

  t.deepEqual(
    [...first.body.data, ...second.body.data].map((one) => one.id),
    made.slice(0, 4),
  );
  t.deepEqual(back.body.data, first.body.data);
  t.deepEqual((await get('filter[status]=failed')).body.data, []);
  t.deepEqual((await get('filter[event]=shipment.created')).body.data, []);
  t.is((await get('filter[event]=ping')).body.data.length, 5);
  t.is((await get(`cursor=${first.body.meta.next_cursor}`)).status, 422, 'a cursor of other filters');
});

test('redelivering queues a delivery with six further attempts, replaying all that failed', async (t) => {
  const { owner } = await own();
  const refusing = await startReceiver();
  t.teardown(() => refusing.close());
  refusing.behave({ kind: 'answer', status: 500 });
  const { id } = await create(owner, { url: refusing.url });
  const path = `/webhooks/${id}`;
  const [one] = [
    (await http.send('POST', `${path}/ping`, { as: owner })).body.data.id,
    await http.send('POST', `${path}/ping`, { as: owner }),
  ];

  const redelivered = await http.send('POST', `${path}/deliveries/${one}/redeliver`, { as: owner });
  const twice = await http.send('POST', `${path}/deliveries/${one}/redeliver`, { as: owner, json: {} });
  const replayed = await http.send('POST', `${path}/replay`, { as: owner, json: { since: '2026-01-01' } });
  const nothing = await http.send('POST', `${path}/replay`, { as: owner, json: { since: '2026-01-01' } });
  await http.send('PATCH', path, { as: owner, json: { is_active: false } });
  const off = await http.send('POST', `${path}/deliveries/${one}/redeliver`, { as: owner });

  t.is(redelivered.status, 202, redelivered.text);
  t.like(redelivered.body.data, { id: one, status: 'pending', completed_at: null });
  t.deepEqual(twice.body.data, redelivered.body.data);
  t.deepEqual([replayed.status, replayed.body.data], [202, { count: 1 }]);
  t.deepEqual(nothing.body.data, { count: 0 });
  t.is(off.status, 422);
  t.truthy(off.body.error.fields.is_active);
  const rows = await http.db.select(
    'SELECT attempts, attempts_allowed FROM webhook_deliveries WHERE subscription_id = ?',
    [id],
  );
  t.deepEqual(
    rows.map((row) => [row.attempts, row.attempts_allowed]),
    [
      [1, 7],
      [1, 7],
    ],
  );
});

test('what used its attempts up is not sent again, and a replay waits for no other one', async (t) => {
  const { owner } = await own();
  const { id } = await create(owner);
  const delivery = (await http.send('POST', `/webhooks/${id}/ping`, { as: owner })).body.data.id;
  await http.db.run(
    `UPDATE webhook_deliveries SET status = 'failed', attempts = 100, attempts_allowed = 100 WHERE uuid = ?`,
    [delivery],
  );
  const replay = () =>
    http.send('POST', `/webhooks/${id}/replay`, { as: owner, json: { since: '2026-01-01' } });

  const usedUp = await http.send('POST', `/webhooks/${id}/deliveries/${delivery}/redeliver`, { as: owner });
  const refused = await http.db.session(async (session) => {
    await session.select('SELECT GET_LOCK(?, 0)', [`replay-${id}`]);
    const answer = await replay();
    await session.select('SELECT RELEASE_LOCK(?)', [`replay-${id}`]);
    return answer;
  });
  const free = await replay();

  t.is(usedUp.status, 422, usedUp.text);
  t.truthy(usedUp.body.error.fields.delivery);
  t.deepEqual([refused.status, refused.body.error.code], [409, 'duplicate_request']);
  t.deepEqual([free.status, free.body.data], [202, { count: 0 }]);
});

test('a rotation shows the new secret once and keeps the old one for the overlap', async (t) => {
  const { owner } = await own();
  const { id, secret } = await create(owner);
  const rotate = (json: object) => http.send('POST', `/webhooks/${id}/rotate-secret`, { as: owner, json });

  const rotated = await rotate({});

  t.is(rotated.status, 200, rotated.text);
  t.regex(rotated.body.data.secret, /^whsec_[A-Za-z0-9]{40}$/);
  t.not(rotated.body.data.secret, secret);
  const [row] = await http.db.select('SELECT older_secrets FROM webhook_subscriptions WHERE id = ?', [id]);
  const [older] = JSON.parse(String(row?.older_secrets)) as { until: string }[];
  const leftMinutes = (Date.parse(older?.until ?? '') - Date.now()) / 60_000;
  t.true(leftMinutes > 23 * 60 && leftMinutes <= 24 * 60);
  for (const overlap_hours of [-1, 169, '24', null]) t.is((await rotate({ overlap_hours })).status, 422);
  t.is((await rotate({ overlap_hours: 168 })).status, 200);
  for (const overlap_hours of [0.12345678901, 1.23456789012, 1e-9, 0]) {
    t.is((await rotate({ overlap_hours })).status, 200, String(overlap_hours));
  }
});

test('POST /webhooks/{id}/rotate-secret: every secret signs until its own time is over, unless all are ended', async (t) => {
  const { owner } = await own();
  const { id, secret } = await create(owner);
  const made = [secret];
  const rotate = async (overlap_hours: number) => {
    const json = { overlap_hours };
    const rotated = await http.send('POST', `/webhooks/${id}/rotate-secret`, { as: owner, json });
    made.unshift(rotated.body.data.secret);
  };
  const signing = async () => {
    const found = await loadSubscription(http.db, id);
    return found?.secrets.map((sealed) => http.config.appKeys.openText('webhook secret', sealed));
  };

  await rotate(24);
  await rotate(1e-9);
  await rotate(24);

  const [newest, third, , first] = made;
  t.deepEqual(await signing(), [newest, third, first]);
  await rotate(24);
  await rotate(24);
  t.deepEqual(await signing(), made.slice(0, 4));
  await rotate(0);
  t.deepEqual(await signing(), made.slice(0, 1));
});

test('every spelling of an address that is not public is refused, at creation and at a change', async (t) => {
  const owner = await strict.account();
  await strict.license(owner.id);
  const good = await strict.send('POST', '/webhooks', {
    as: owner,
    json: { url: 'https://receiver.invalid/hook', events: EVENTS },
  });
  t.is(good.status, 201, good.text);

  for (const url of [...forbiddenUrls(receiver.port), ...malformedUrls(receiver.port)]) {
    const created = await strict.send('POST', '/webhooks', { as: owner, json: { url, events: EVENTS } });
    const changed = await strict.send('PATCH', `/webhooks/${good.body.data.id}`, {
      as: owner,
      json: { url },
    });

    for (const answer of [created, changed]) {
      t.is(answer.status, 422, url);
      t.truthy(answer.body.error.fields.url, url);
    }
  }
  t.is((await strict.send('GET', '/webhooks', { as: owner })).body.data.length, 1);
});

test('an address that was stored all the same is not called', async (t) => {
  const owner = await strict.account();
  const license = await strict.license(owner.id);
  const created = await strict.send('POST', '/webhooks', {
    as: owner,
    json: { url: 'https://receiver.invalid/hook', events: EVENTS },
  });
  const { id } = created.body.data;
  const canary = await startReceiver();
  t.teardown(() => canary.close());

  for (const url of forbiddenUrls(canary.port)) {
    await strict.db.run('UPDATE webhook_subscriptions SET url = ? WHERE id = ? AND license_id = ?', [
      url,
      id,
      license.id,
    ]);
    const pinged = await strict.send('POST', `/webhooks/${id}/ping`, { as: owner });
    t.is(pinged.body.data.status, 'failed', url);
    t.is(pinged.body.data.attempts[0].response_status, null, url);
  }

  t.is(canary.requests.length, 0);
});

const body = (json: object) => () => ({
  as: account,
  json: { url: 'http://127.0.0.1/', events: EVENTS, ...json },
});
const CASES: RefusedCase[] = [
  ['without a URL', 'validation_failed', 'POST', '/webhooks', body({ url: undefined }), 'url'],
  [
    'a URL of 2049',
    'validation_failed',
    'POST',
    '/webhooks',
    body({ url: `http://a/${'a'.repeat(2041)}` }),
    'url',
  ],
  ['a URL that is none', 'validation_failed', 'POST', '/webhooks', body({ url: 'nowhere' }), 'url'],
  ['a URL that is no text', 'validation_failed', 'POST', '/webhooks', body({ url: 7 }), 'url'],
  ['without events', 'validation_failed', 'POST', '/webhooks', body({ events: undefined }), 'events'],
  ['no event', 'validation_failed', 'POST', '/webhooks', body({ events: [] }), 'events'],
  [
    'an unknown event',
    'validation_failed',
    'POST',
    '/webhooks',
    body({ events: ['shipment.lost'] }),
    'events.0',
  ],
  ['ping as an event', 'validation_failed', 'POST', '/webhooks', body({ events: ['ping'] }), 'events.0'],
  ['a foreign license', 'forbidden', 'POST', '/webhooks', body({ license_key: 'lic-none' })],
];

for (const one of CASES) test(`webhooks: ${titleOf(one)}`, (t) => assertRefused(t, http, one));

test('replay and the list of deliveries validate', async (t) => {
  const { owner } = await own();
  const { id } = await create(owner);

  const since = await http.send('POST', `/webhooks/${id}/replay`, {
    as: owner,
    json: { since: 'yesterday' },
  });
  const missing = await http.send('POST', `/webhooks/${id}/replay`, { as: owner, json: {} });
  const status = await http.send('GET', `/webhooks/${id}/deliveries?filter[status]=lost`, { as: owner });
  const cursor = await http.send('GET', `/webhooks/${id}/deliveries?cursor=abc`, { as: owner });

  t.truthy(since.body.error.fields.since);
  t.truthy(missing.body.error.fields.since);
  t.truthy(status.body.error.fields['filter[status]']);
  t.truthy(cursor.body.error.fields.cursor);
  t.is((await http.send('GET', '/webhooks/no-uuid', { as: owner })).status, 404);
  t.is((await http.send('GET', `/webhooks/${id}/deliveries/é`, { as: owner })).status, 404);
});
