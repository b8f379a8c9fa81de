import { randomUUID } from 'node:crypto';
import test from 'ava';
import { claimItems, type ItemResult, recordItems } from '../../src/db/queries/batches/batch-progress.js';
import { creationBody, type HttpAccount, type SendOptions, startHttp } from '../support/http.js';

const http = await startHttp();
test.after.always(() => http.close());

const send = (as: HttpAccount, path: string, options: SendOptions = {}) =>
  http.send(options.json === undefined && options.raw === undefined ? 'GET' : 'POST', path, {
    as,
    ...options,
  });
const itemsOf = (count: number) => Array.from({ length: count }, () => creationBody());
const post = (as: HttpAccount, json: unknown, key?: string) =>
  send(as, '/batches', { json, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) });

/** Gives items their outcome, as the worker does. */
async function resolve(uuid: string, outcomes: Record<number, 'created' | 'failed'>): Promise<void> {
  const rows = await http.db.select(
    'SELECT i.id, i.position, i.batch_id FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?',
    [uuid],
  );
  const results = rows.flatMap((row): ItemResult[] => {
    const kind = outcomes[Number(row.position)];
    if (kind === undefined) return [];
    const id = Number(row.id);
    return kind === 'created'
      ? [{ id, kind, shipmentUuid: randomUUID() }]
      : [{ id, kind, error: { code: 'carrier_rejected', message: 'No such street.' } }];
  });
  await recordItems(http.db, Number(rows[0]?.batch_id), results);
}

const DIGITS = `(SELECT 0 AS d ${Array.from({ length: 9 }, (_, index) => `UNION SELECT ${index + 1}`).join(' ')})`;

test('an object and a bare array are both a batch', async (t) => {
  const { account: as, license } = await http.own();
  const items = itemsOf(3);

  const object = await post(as, { shipments: items, license_key: license.key });
  const array = await send(as, `/batches?license_key=${license.key}`, { json: itemsOf(2) });

  t.is(object.status, 202, object.text);
  t.is(object.body.data.status, 'queued');
  t.deepEqual(object.body.data.summary, { total: 3, created: 0, failed: 0, pending: 3 });
  t.regex(object.body.data.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8/);
  t.is(object.headers.get('location'), `https://api.parcels.test/api/v2/batches/${object.body.data.id}`);
  t.deepEqual(Object.keys(object.body.data).sort(), ['created_at', 'id', 'status', 'summary', 'updated_at']);
  t.is(array.status, 202, array.text);
  t.is(array.body.data.summary.total, 2);
});

test('the same array with the key in the query and in the object is one batch', async (t) => {
  const { account: as, license } = await http.own();
  const items = itemsOf(1);

  const one = await send(as, `/batches?license_key=${license.key}`, { json: items });
  const two = await post(as, { shipments: items, license_key: license.key });

  t.is(two.body.data.id, one.body.data.id);
});

test('items of every kind are taken, and nothing but their text is kept', async (t) => {
  const { account: as } = await http.own();
  const items = [5, null, 'text', [], {}, { order: { id: 7 }, shipment_id: 'x', status: 'created' }];

  const created = await post(as, { shipments: items, status: 'completed', id: 'mine' });
  const listed = await send(as, `/batches/${created.body.data.id}/items`);

  t.is(created.status, 202, created.text);
  t.deepEqual(
    listed.body.data.map((item: { payload: unknown }) => item.payload),
    items,
  );
  t.true(listed.body.data.every((item: { status: string }) => item.status === 'pending'));
  t.deepEqual(
    listed.body.data.map((item: { position: number }) => item.position),
    [0, 1, 2, 3, 4, 5],
  );
});

test('2000 items are taken, 2001 are not', async (t) => {
  const { account: as } = await http.own();

  const most = await post(as, { shipments: itemsOf(2000) });
  const over = await post(as, { shipments: itemsOf(2001) });
  const bare = await post(as, itemsOf(2001));

  t.is(most.status, 202, most.text);
  t.is(over.status, 422);
  t.is(bare.status, 422);
  t.deepEqual(over.body.error.fields, bare.body.error.fields);
  t.deepEqual(Object.keys(bare.body.error.fields), ['shipments']);
});

test('an account has a hundred open batches at most; what was stored is answered all the same', async (t) => {
  const { account: as } = await http.own();
  const { account: other } = await http.own();
  const first = { shipments: itemsOf(1) };
  const stored = await post(as, first);
  await addOpen(stored.body.data.id, 99);

  const refused = await post(as, { shipments: itemsOf(1) });
  const others = await post(other, { shipments: itemsOf(1) });
  const again = await post(as, first);
  await send(as, `/batches/${stored.body.data.id}/cancel`, { json: {} });
  const next = await post(as, { shipments: itemsOf(1) });

  t.is(refused.status, 429, refused.text);
  t.is(refused.body.error.code, 'rate_limited');
  t.regex(refused.body.error.message, /^The account has 100 open batches\./);
  t.is(refused.headers.get('retry-after'), '60');
  t.truthy(refused.headers.get('x-ratelimit-limit'));
  t.deepEqual([others.status, again.status, next.status], [202, 202, 202]);
});

test('POST /batches: beside a hundred open ones a large body is not read, unless its key has an answer', async (t) => {
  const { account: as } = await http.own();
  const large = { shipments: itemsOf(2000) };
  const stored = await post(as, large, 'large');
  await addOpen(stored.body.data.id, 99);

  const refused = await send(as, '/batches', { raw: 'x'.repeat(200_000) });
  const again = await post(as, large, 'large');

  t.is(refused.status, 429, refused.text);
  t.is(refused.headers.get('retry-after'), '60');
  t.is(again.status, 202, again.text);
  t.is(again.text, stored.text);
});

test('POST /batches: an account stores so much in a day; what was stored is answered all the same', async (t) => {
  const { account: as, license } = await http.own();
  const { account: other } = await http.own();
  const small = { shipments: itemsOf(2) };
  await post(as, small);
  const [{ bytes } = {}] = await http.db.select(
    'SELECT payload_bytes AS bytes FROM batches WHERE account_id = ?',
    [as.id],
  );
  const set = (columns: string) => http.db.run(`UPDATE batches SET ${columns} WHERE account_id = ?`, [as.id]);
  await set('payload_bytes = 1073741823 - 2 * 512');

  const last = await post(as, { shipments: itemsOf(1) });
  const refused = await post(as, { shipments: itemsOf(1) });
  const unread = await send(as, '/batches', { raw: 'x'.repeat(200_000) });
  const again = await post(as, small);
  const others = await post(other, { shipments: itemsOf(1) });
  await set('created_at = created_at - INTERVAL 1 DAY');
  const tomorrow = await post(as, { shipments: itemsOf(1), license_key: license.key });

  const length = small.shipments.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
  t.is(Number(bytes), length);
  t.deepEqual([last.status, refused.status, unread.status], [202, 429, 429], refused.text);
  t.regex(refused.body.error.message, /1 GiB/);
  t.true(Number(refused.headers.get('retry-after')) <= 86_400);
  t.deepEqual([again.status, others.status, tomorrow.status], [202, 202, 202]);
});

test('POST /batches/{uuid}/retry: a batch is not opened again beside a hundred open ones', async (t) => {
  const { account: as } = await http.own();
  const call = (id: string, what: string) => send(as, `/batches/${id}/${what}`, { json: {} });
  const [ended, open] = [await post(as, itemsOf(2)), await post(as, itemsOf(2))];
  const [id, openId] = [ended.body.data.id, open.body.data.id];
  await call(id, 'cancel');
  await http.db.run(
    `UPDATE batches b JOIN batch_items i ON i.batch_id = b.id AND i.position = 0
     SET b.pending_count = 1, b.failed_count = 1, i.status = 'failed', i.error = '{"code":"x","message":"x"}'
     WHERE b.uuid = ?`,
    [openId],
  );
  await addOpen(openId, 99);

  const refused = await call(id, 'retry');
  const left = await send(as, `/batches/${id}`);
  const ofOpen = await call(openId, 'retry');
  await call(openId, 'cancel');
  const reopened = await call(openId, 'retry');
  const again = await call(id, 'retry');

  t.is(refused.status, 429, refused.text);
  t.is(refused.body.error.code, 'rate_limited');
  t.is(refused.headers.get('retry-after'), '60');
  t.is(left.body.data.summary.pending, 0);
  t.is(ofOpen.status, 202, ofOpen.text);
  t.is(ofOpen.body.data.summary.pending, 2);
  t.is(reopened.status, 202, reopened.text);
  t.is(again.status, 429, again.text);
});

/** Adds open batches to an account, copies of an existing one. */
async function addOpen(uuid: string, count: number): Promise<void> {
  await http.db.run(
    `INSERT INTO batches (uuid, account_id, license_id, license_key, total, pending_count, created_count,
       failed_count, payload_bytes, created_at, updated_at)
     SELECT CONCAT(LEFT(b.uuid, 32), 'x', LPAD(n.n, 3, '0')), account_id, license_id, license_key, 1, 1, 0, 0, 1,
       created_at, updated_at
     FROM batches b, (SELECT a.d * 10 + c.d AS n FROM ${DIGITS} a, ${DIGITS} c) n
     WHERE b.uuid = ? AND n.n < ?`,
    [uuid, count],
  );
}

test('an item over 1 MiB fails by itself, and a body may be larger', async (t) => {
  const { account: as } = await http.own();
  const huge = creationBody({ order: { meta_data: 'x'.repeat(1024 * 1024) } });

  const created = await post(as, { shipments: [creationBody(), huge, creationBody()] });
  const items = await send(as, `/batches/${created.body.data.id}/items`);
  const retried = await send(as, `/batches/${created.body.data.id}/retry`, { json: {} });

  t.is(created.status, 202, created.text);
  t.is(created.body.data.status, 'processing');
  t.deepEqual(created.body.data.summary, { total: 3, created: 0, failed: 1, pending: 2 });
  t.is(items.body.data[1].error.code, 'payload_too_large');
  t.is(items.body.data[1].payload, null);
  t.deepEqual(retried.body.data.summary, created.body.data.summary);
});

test('the same body is one batch, answered with the same bytes; a key holds for all routes', async (t) => {
  const { account: as } = await http.own();
  const body = { shipments: itemsOf(2) };
  const keyed = { shipments: itemsOf(1) };

  const first = await post(as, body);
  await resolve(first.body.data.id, { 0: 'created' });
  const again = await post(as, body);
  const one = await post(as, keyed, 'batch-key');
  const replay = await post(as, keyed, '"batch-key"');
  const other = await post(as, { shipments: itemsOf(1) }, 'batch-key');
  const [{ count }] = (await http.db.select('SELECT COUNT(*) AS count FROM batches WHERE account_id = ?', [
    as.id,
  ])) as [{ count: number }];

  t.is(again.status, 202);
  t.is(again.text, first.text);
  t.is(first.headers.get('idempotent-replayed'), null);
  t.is(again.headers.get('idempotent-replayed'), 'true');
  t.is(again.headers.get('location'), first.headers.get('location'));
  t.is(replay.text, one.text);
  t.is(other.status, 409);
  t.is(other.body.error.code, 'idempotency_key_conflict');
  t.is(count, 2);
});

test('20 equal requests at once store one batch', async (t) => {
  const { account: as } = await http.own();
  const body = { shipments: itemsOf(50) };

  const answers = await Promise.all(Array.from({ length: 20 }, () => post(as, body, 'at-once')));

  t.deepEqual([...new Set(answers.map((answer) => answer.text))], [answers[0]?.text]);
  t.is(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1);
});

test('an expired key can be used again', async (t) => {
  const { account: as } = await http.own();
  const body = { shipments: itemsOf(1) };
  const first = await post(as, body, 'expired');
  await http.db.run('UPDATE idempotency_keys SET expires_at = NOW(6) WHERE account_id = ?', [as.id]);

  const second = await post(as, body, 'expired');

  t.not(second.body.data.id, first.body.data.id);
});

test('counts and status follow the items', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(3) })).body.data;
  const seen = [];

  for (const outcomes of [{ 0: 'created' }, { 1: 'failed' }, { 2: 'created' }] as const) {
    await resolve(id, outcomes);
    seen.push((await send(as, `/batches/${id}`)).body.data);
  }

  t.deepEqual(
    seen.map((batch) => batch.status),
    ['processing', 'processing', 'completed'],
  );
  t.deepEqual(seen[2].summary, { total: 3, created: 2, failed: 1, pending: 0 });
  t.true(seen[2].updated_at > seen[2].created_at);
});

test('an outcome is written once', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(1) })).body.data;

  await resolve(id, { 0: 'created' });
  const first = (await send(as, `/batches/${id}/items`)).body.data[0];
  await resolve(id, { 0: 'failed' });
  const second = (await send(as, `/batches/${id}/items`)).body.data[0];

  t.is(first.status, 'created');
  t.truthy(first.shipment_id);
  t.is(first.error, null);
  t.deepEqual(second, first);
});

test('items come in pages, in their order, and can be filtered', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(7) })).body.data;
  await resolve(id, { 1: 'failed', 4: 'failed', 6: 'failed' });

  const one = await send(as, `/batches/${id}/items?per_page=3`);
  const two = await send(as, `/batches/${id}/items?per_page=3&cursor=${one.body.meta.next_cursor}`);
  const three = await send(as, `/batches/${id}/items?per_page=3&cursor=${two.body.meta.next_cursor}`);
  const back = await send(as, `/batches/${id}/items?per_page=3&cursor=${three.body.meta.prev_cursor}`);
  const failed = await send(as, `/batches/${id}/items?filter[status]=failed`);
  const foreign = await send(
    as,
    `/batches/${id}/items?filter[status]=failed&cursor=${one.body.meta.next_cursor}`,
  );

  const positions = [one, two, three, back].map((page) =>
    page.body.data.map((item: { position: number }) => item.position),
  );
  t.deepEqual(positions, [[0, 1, 2], [3, 4, 5], [6], [3, 4, 5]]);
  t.is(three.body.meta.next_cursor, null);
  t.is(one.body.links.prev, null);
  t.deepEqual(
    failed.body.data.map((item: { position: number }) => item.position),
    [1, 4, 6],
  );
  t.deepEqual(failed.body.data[0].error, { code: 'carrier_rejected', message: 'No such street.' });
  t.is(foreign.status, 422);
});

test('the list has the items, newest batch first, and spans the usable licenses', async (t) => {
  const as = await http.account();
  const one = await http.license(as.id);
  const two = await http.license(as.id);
  const first = await post(as, { shipments: itemsOf(2), license_key: one.key });
  const second = await post(as, { shipments: itemsOf(1), license_key: two.key });

  const all = await send(as, '/batches');
  const narrowed = await send(as, `/batches?license_key=${one.key}`);
  const page = await send(as, '/batches?per_page=1');
  const next = await send(as, `/batches?per_page=1&cursor=${page.body.meta.next_cursor}`);
  const back = await send(as, `/batches?per_page=1&cursor=${next.body.meta.prev_cursor}`);

  const ids = (answer: { body: any }) => answer.body.data.map((batch: { id: string }) => batch.id);
  t.deepEqual(ids(all), [second.body.data.id, first.body.data.id]);
  t.deepEqual(
    all.body.data.map((batch: { items: unknown[] }) => batch.items.length),
    [1, 2],
  );
  t.deepEqual(ids(narrowed), [first.body.data.id]);
  t.deepEqual([ids(page), ids(next), ids(back)], [[second.body.data.id], [first.body.data.id], ids(page)]);
});

test('a page ends before it holds too many items, and the next goes on', async (t) => {
  const { account: as } = await http.own();
  const created: string[] = [];
  for (let count = 0; count < 3; count++) created.unshift((await post(as, itemsOf(1))).body.data.id);
  await http.db.run('UPDATE batches SET total = 6000, pending_count = 6000 WHERE account_id = ?', [as.id]);

  const seen: string[] = [];
  let back = '';
  let url = '/batches';
  for (let pages = 0; pages < 3; pages++) {
    const page = await send(as, url);
    t.is(page.body.data.length, 1);
    t.is(page.body.meta.per_page, 25);
    seen.push(page.body.data[0].id);
    back = page.body.meta.prev_cursor;
    url = `/batches?cursor=${page.body.meta.next_cursor}`;
  }
  const before = await send(as, `/batches?cursor=${back}`);

  t.deepEqual(seen, created);
  t.is(url, '/batches?cursor=null');
  t.deepEqual(
    before.body.data.map((batch: { id: string }) => batch.id),
    [created[1]],
  );
});

test('cancelling fails what has not been started, once', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(3) })).body.data;
  await resolve(id, { 0: 'created' });
  await http.db.run(
    `UPDATE batch_items i JOIN batches b ON b.id = i.batch_id SET i.started_at = NOW(6)
     WHERE b.uuid = ? AND i.position = 1`,
    [id],
  );

  const cancelled = await send(as, `/batches/${id}/cancel`, { json: {} });
  const again = await http.send('POST', `/batches/${id}/cancel`, { as });
  const items = await send(as, `/batches/${id}/items`);

  t.is(cancelled.status, 200, cancelled.text);
  t.deepEqual(cancelled.body.data.summary, { total: 3, created: 1, failed: 1, pending: 1 });
  t.deepEqual(again.body, cancelled.body);
  t.deepEqual(
    items.body.data.map((item: { status: string }) => item.status),
    ['created', 'pending', 'failed'],
  );
  t.is(items.body.data[2].error.code, 'cancelled');
});

test('a retry queues the failed items again, and those alone', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(3) })).body.data;
  await resolve(id, { 0: 'created', 1: 'failed', 2: 'failed' });

  const retried = await send(as, `/batches/${id}/retry`, { json: {} });
  const items = await send(as, `/batches/${id}/items`);
  await resolve(id, { 1: 'created', 2: 'created' });
  const nothing = await http.send('POST', `/batches/${id}/retry`, { as });

  t.is(retried.status, 202, retried.text);
  t.deepEqual(retried.body.data.summary, { total: 3, created: 1, failed: 0, pending: 2 });
  t.deepEqual(
    items.body.data.map((item: { status: string; error: unknown }) => [item.status, item.error]),
    [
      ['created', null],
      ['pending', null],
      ['pending', null],
    ],
  );
  t.is(nothing.status, 202);
  t.is(nothing.body.data.status, 'completed');
});

test('a pass that was overtaken cannot stop an item that another one works on', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(2) })).body.data;
  const [row] = await http.db.select('SELECT id FROM batches WHERE uuid = ?', [id]);
  const batchId = Number(row?.id);
  const error = { code: 'cancelled', message: 'Too late.' };
  const stop = (items: { id: number; startedAt: string }[]) =>
    recordItems(
      http.db,
      batchId,
      items.map((item) => ({ id: item.id, kind: 'stopped' as const, startedAt: item.startedAt, error })),
    );

  const first = await claimItems(http.db, { batchId, after: -1, to: 1, limit: 10 });
  const [again] = await claimItems(http.db, { batchId, after: 0, to: 1, limit: 10 });
  await send(as, `/batches/${id}/cancel`, { json: {} });
  const stopped = await stop(first);
  const items = await send(as, `/batches/${id}/items`);

  t.true(first.every((item) => item.fresh));
  t.false(again?.fresh);
  t.is(stopped, 1);
  t.deepEqual(
    items.body.data.map((item: { status: string }) => item.status),
    ['failed', 'pending'],
  );
});

test('filter[status] takes the statuses of items only', async (t) => {
  const { account: as } = await http.own();
  const { id } = (await post(as, { shipments: itemsOf(1) })).body.data;

  const answer = await send(as, `/batches/${id}/items?filter[status]=lost`);

  t.is(answer.status, 422);
  t.deepEqual(Object.keys(answer.body.error.fields), ['filter[status]']);
});
