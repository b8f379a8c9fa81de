import test from 'ava';
import { takesBody } from '../../src/api/route.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { insertTestCredentials } from '../support/factories.js';
import { startHttp } from '../support/http.js';
import { fillPath, missingValues, pathObjectOf } from '../support/path-objects.js';

const http = await startHttp();
const { account, license } = await http.own();
const other = await http.account();
const otherLicense = await http.license(other.id);
const ownUuid = (await http.shipment(account.id, license, { orderId: 'ours' })).uuid;
test.after.always(() => http.close());

test('a refusal by the carrier on cancellation is 409', async (t) => {
  const answer = await http.send('POST', `/shipments/${ownUuid}/cancel`, {
    as: account,
    json: { reason: 'refuse' },
  });

  t.is(answer.status, 409);
  t.is(answer.body.error.code, 'shipment_not_cancellable');
});

for (const route of v2Routes.filter((each) => !each.public)) {
  test(`${route.operationId} needs credentials`, async (t) => {
    const path = route.path.replaceAll(/\{\w+\}/g, '1');

    const missing = await http.send(route.method.toUpperCase(), path);
    const invalid = await http.send(route.method.toUpperCase(), path, {
      as: account,
      headers: { 'x-client-secret': 'sk_no' },
    });

    t.is(missing.status, 401);
    t.is(missing.body.error.message, 'Missing API credentials. Send X-Client-Id and X-Client-Secret.');
    t.is(invalid.status, 401);
    t.is(invalid.body.error.message, 'Invalid API client credentials.');
  });
}

for (const route of v2Routes.filter((each) => !each.public && each.method !== 'get')) {
  test(`${route.operationId} is refused to read-only credentials`, async (t) => {
    const as = { id: account.id, headers: headersOf(await readOnly()) };
    const path = route.path.replaceAll(/\{\w+\}/g, '1');
    const json = takesBody(route) ? { json: route.bodyExample ?? {} } : {};

    const { status, body } = await http.send(route.method.toUpperCase(), path, { as, ...json });

    t.is(status, 403);
    t.is(body.error.code, 'forbidden');
    t.is(body.error.message, 'These credentials are read-only: they can make GET requests alone.');
  });
}

test('read-only credentials read, and their use is noted once', async (t) => {
  const credentials = await readOnly();
  const as = { id: account.id, headers: headersOf(credentials) };
  const usedAt = async () => {
    const [row] = await http.db.select(
      'SELECT last_used_at AS at FROM client_credentials WHERE client_id = ?',
      [credentials.clientId],
    );
    return row?.at;
  };
  t.is(await usedAt(), null);

  t.is((await http.send('GET', `/shipments/${ownUuid}`, { as })).status, 200);
  const first = await usedAt();
  t.is((await http.send('GET', '/account', { as })).status, 200);

  t.not(first, null);
  t.deepEqual(await usedAt(), first);
});

async function readOnly() {
  return await insertTestCredentials(http.db, account.id, http.config.appKeys, { isReadOnly: true });
}

function headersOf({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  return { 'x-client-id': clientId, 'x-client-secret': clientSecret };
}

for (const route of v2Routes.filter((each) => each.path.includes('{'))) {
  test(`${route.operationId} answers another account's object as a missing one`, async (t) => {
    const method = route.method.toUpperCase();
    const theirs = await pathObjectOf(route.path)(http, other, otherLicense);
    const json = takesBody(route) ? { json: route.bodyExample ?? {} } : {};

    const one = await http.send(method, fillPath(route.path, theirs), { as: account, ...json });
    const two = await http.send(method, fillPath(route.path, missingValues(theirs)), {
      as: account,
      ...json,
    });
    const owner = await http.send('GET', fillPath(route.path, theirs), { as: other });

    t.is(one.status, 404, one.text);
    t.is(one.text, two.text);
    t.not(owner.status, 404, 'the object must be there for its owner');
  });
}

test('an account without API access is refused like unknown credentials', async (t) => {
  const closed = await http.account({ enableApi: false });

  const answer = await http.send('GET', '/account', { as: closed });

  t.is(answer.status, 401);
  t.is(answer.body.error.message, 'Invalid API client credentials.');
});

for (const path of ['/api/v2/openapi.json', '/api/openapi.json']) {
  test(`${path} has a tag, and is not sent again to who has it`, async (t) => {
    const first = await fetch(`${http.url}${path}`);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${http.url}${path}`, { headers: { 'if-none-match': etag } });

    t.is(first.status, 200);
    t.regex(etag, /^W\/"/);
    t.is(again.status, 304);
    t.is(again.headers.get('etag'), etag);
    t.is(await again.text(), '');
  });
}
