import { randomUUID } from 'node:crypto';
import test from 'ava';
import { creationBody, startHttp } from '../support/http.js';

const http = await startHttp();
const account = await http.account();
await http.license(account.id);
test.after.always(() => http.close());

const LISTS = [
  '/shipments',
  `/batches/${randomUUID()}/items`,
  `/webhooks/${randomUUID()}/deliveries`,
  '/notifications/templates',
  '/notifications/logs',
];
const MISREAD: [query: string, path: string, message: RegExp][] = [
  [
    'filter[statsu]=created',
    'filter[statsu]',
    /^There is no filter filter\[statsu\]; those of this list are: .*filter\[/,
  ],
  ['filter[]=created', 'filter[]', /^There is no filter /],
  ['filter=abc', 'filter', /^The filter field must name what it filters by: filter\[/],
  ['per_page[]=2', 'per_page', /^The per_page field must be one value\.$/],
  ['per_page[a]=2', 'per_page', /^The per_page field must be one value\.$/],
];

for (const list of LISTS) {
  // It has no pages.
  const isPaged = list !== '/notifications/templates';
  for (const [query, path, message] of MISREAD.filter(([, at]) => isPaged || at !== 'per_page')) {
    test(`GET ${list.replace(/[0-9a-f-]{36}/, '{id}')}?${query}: names what is not understood`, async (t) => {
      const answer = await http.send('GET', `${list}?${query}`, { as: account });

      t.is(answer.status, 422, answer.text);
      t.is(answer.body.error.code, 'validation_failed');
      t.deepEqual(Object.keys(answer.body.error.fields), [path]);
      t.regex(answer.body.error.message, message);
    });
  }
}

test('GET /shipments?filter[status][]=…: a list where one value belongs is named at its filter', async (t) => {
  const list = await http.send('GET', '/shipments?filter[status][]=delivered', { as: account });
  const object = await http.send('GET', '/shipments?filter[status][in]=delivered', { as: account });

  t.deepEqual([list.status, object.status], [422, 422]);
  const fields = { 'filter[status]': ['The filter[status] field must be one value.'] };
  t.deepEqual([list.body.error.fields, object.body.error.fields], [fields, fields]);
});

test('other query parameters that nobody knows are ignored', async (t) => {
  const list = await http.send('GET', '/shipments?status=created&utm[source]=x&filters[status]=x', {
    as: account,
  });
  const one = await http.send('GET', '/account?filter[status]=x', { as: account });

  t.deepEqual([list.status, one.status], [200, 200], list.text);
});

test('POST /shipments and /batches: a byte order mark before the body is skipped', async (t) => {
  const body = JSON.stringify(creationBody({ order: { id: 'marked' } }));

  const created = await http.send('POST', '/shipments', { as: account, raw: `\ufeff${body}` });
  const queued = await http.send('POST', '/batches', { as: account, raw: `\ufeff[${body}]` });

  t.deepEqual([created.status, queued.status], [201, 202], created.text + queued.text);
});

test('a content coding or charset that is not taken is named', async (t) => {
  const send = (headers: Record<string, string>) =>
    http.send('POST', '/shipments', { as: account, raw: '{}', headers });

  const coded = await send({ 'content-encoding': 'GZIP' });
  const other = await send({ 'content-type': 'application/json; charset="ISO-8859-8"' });
  const typed = await send({ 'content-type': 'text/plain' });

  t.deepEqual([coded.status, other.status, typed.status], [415, 415, 415]);
  t.is(coded.body.error.message, 'The Content-Encoding gzip is not taken. Send the body without one.');
  t.is(coded.headers.get('accept-encoding'), 'identity');
  t.is(other.body.error.message, 'The charset iso-8859-8 is not taken. Send the body in UTF-8.');
  t.is(typed.body.error.message, 'Send the body as Content-Type: application/json.');
  t.false(other.headers.has('accept-encoding'));
});

test('a refusal of several fields counts them, and one of a choice says the choices', async (t) => {
  const post = (ship: object) =>
    http.send('POST', '/shipments', { as: account, json: creationBody({ ship_data: ship }) });

  const one = await post({ type: 3 });
  const text = await post({ return: '1' });
  const two = await post({ type: 3, return: 0 });
  const three = await post({ type: 3, return: 0, packages: 0 });
  const filter = await http.send('GET', '/shipments?filter[type]=3', { as: account });

  t.is(one.body.error.message, 'The ship_data.type field must be one of: 1, 2.');
  t.is(text.body.error.message, 'The ship_data.return field must be one of: 1, 2.');
  t.regex(two.body.error.message, /^The ship_data\.type field must be one of: 1, 2\. \(and 1 more error\)$/);
  t.regex(three.body.error.message, / \(and 2 more errors\)$/);
  t.is(Object.keys(three.body.error.fields).length, 3);
  t.is(filter.body.error.message, 'The filter[type] field must be one of: 1, 2.');
});
