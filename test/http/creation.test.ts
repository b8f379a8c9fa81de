import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dayInJerusalem } from '../../src/lib/time.js';
import { creationBody, startHttp } from '../support/http.js';
import { plainRecipient } from '../support/shipments.js';

const TOMORROW = dayInJerusalem(new Date(Date.now() + 86_400_000));

const http = await startHttp();
test.after.always(() => http.close());

test('a creation answers 201 with Location, 202 with Retry-After, a replay says so', async (t) => {
  const { account } = await http.own();

  const created = await http.send('POST', '/shipments', { as: account, json: creationBody() });
  const slow = await http.send('POST', '/shipments', {
    as: account,
    json: creationBody({ order: { id: `slow-${randomUUID()}` } }),
  });
  const replay = await http.send('POST', '/shipments', {
    as: account,
    json: creationBody({ order: { id: `replay-${randomUUID()}` } }),
  });

  t.is(created.status, 201, created.text);
  t.is(
    created.headers.get('location'),
    `https://api.parcels.test/api/v2/shipments/${created.body.data.uuid}`,
  );
  t.is(created.headers.get('idempotent-replayed'), null);
  t.is(slow.status, 202);
  t.is(slow.headers.get('retry-after'), '5');
  t.is(replay.headers.get('idempotent-replayed'), 'true');
});

test('the license of a body is in the body alone, where its fingerprint is', async (t) => {
  const { account, license } = await http.own();
  const second = await http.license(account.id);
  const body = creationBody();
  const path = `/shipments?license_key=${second.key}`;

  const named = await http.send('POST', path, { as: account, json: { ...body, license_key: license.key } });
  const unnamed = await http.send('POST', path, { as: account, json: body });
  const batch = await http.send('POST', `/batches?license_key=${second.key}`, {
    as: account,
    json: { shipments: [body] },
  });
  const bare = await http.send('POST', `/batches?license_key=${second.key}`, { as: account, json: [body] });

  t.is(named.status, 201, named.text);
  t.is(unnamed.status, 422, unnamed.text);
  t.deepEqual(Object.keys(unnamed.body.error.fields), ['license_key']);
  t.is(batch.status, 422, batch.text);
  t.is(bare.status, 202, bare.text);
  const asked = http.created.filter((each) => each.creation.accountId === account.id);
  t.deepEqual(
    asked.map(({ creation }) => creation.licenseId),
    [license.id],
  );
});

test('unknown fields have no effect; order.shipping wins key by key on the record, and is sent to nobody', async (t) => {
  const { account } = await http.own();
  const body = {
    ...creationBody({
      ship_data: {
        id: 1,
        shipping_id: 2,
        license_id: 3,
        number: 7,
        house_no: '8',
        note: ' gate ',
        is_cod: 1,
        cod_amount: 12.345,
        exaction_date: TOMORROW,
        company: null,
      },
      order: {
        total: '249.9',
        currency: 'USD',
        external_id: 'E1',
        shipping: {
          first_name: 'Avi',
          address_1: 'Dizengoff 1',
          address_2: 'x'.repeat(40),
          postcode: 61000,
          country: 'us',
        },
      },
    }),
    account_id: 9,
    status: 'delivered',
  };

  const told = plainRecipient({ name: 'Dana Levi', number: '8', secondLine: '7' });

  const answer = await http.send('POST', '/shipments', { as: account, json: body });

  t.is(answer.status, 201, answer.text);
  const request = http.created.find((each) => each.creation.accountId === account.id);
  t.deepEqual(request?.creation.recipient, {
    ...told,
    name: 'Avi',
    street: 'Dizengoff 1',
    zip: '61000',
    country: 'US',
  });
  t.deepEqual(request?.creation.details, {
    serviceType: 1,
    returnType: 1,
    recipient: told,
    carrierOrderNumber: String(body.order.id),
    packages: 1,
    pickupPointId: null,
    pickupAddress: null,
    note: 'gate',
    extraNote: null,
    collectOn: TOMORROW,
    urgent: false,
    motor: null,
    collect: false,
    cod: { amount: '12.35', currency: 'USD' },
  });
  t.is(request?.order.total, '249.90');
  t.is(request?.order.externalId, 'E1');
  t.like(request?.order.shipping, { first_name: 'Avi', postcode: 61000 });
});

test("the carrier gets the order's number, or woo_id, behind the license's prefix", async (t) => {
  const account = await http.account();
  await http.license(account.id, { orderPrefix: 'WEB-' });
  const told = async (parts: Parameters<typeof creationBody>[0]) => {
    const answer = await http.send('POST', '/shipments', { as: account, json: creationBody(parts) });
    t.is(answer.status, 201, answer.text);
    const request = http.created.filter((each) => each.creation.accountId === account.id).at(-1);
    return { carrier: request?.creation.details.carrierOrderNumber, order: request?.order.number };
  };

  t.deepEqual(await told({ order: { id: '71' } }), { carrier: 'WEB-71', order: '71' });
  t.deepEqual(await told({ order: { id: '72', number: '#72' } }), { carrier: 'WEB-#72', order: '#72' });
  t.deepEqual(await told({ order: { id: '73' }, ship_data: { woo_id: 9 } }), {
    carrier: 'WEB-9',
    order: '73',
  });
});

test('white space around an order id is no part of it, and is none by itself', async (t) => {
  const { account } = await http.own();
  const send = (id: string) =>
    http.send('POST', '/shipments', { as: account, json: creationBody({ order: { id } }) });

  const padded = await send(' A-1 ');
  const blank = await send('  ');

  t.is(padded.status, 201, padded.text);
  const order = http.created.find((each) => each.creation.accountId === account.id)?.order;
  t.is(order?.id, 'A-1');
  t.is(order?.number, 'A-1');
  t.is(blank.status, 422);
  t.deepEqual(Object.keys(blank.body.error.fields), ['order.id']);
});

test('amounts are taken up to the largest that is stored, with any number of places', async (t) => {
  const { account } = await http.own();
  const totalOf = async (total: unknown) => {
    const json = creationBody({ order: { total } });
    const answer = await http.send('POST', '/shipments', { as: account, json });
    t.is(answer.status, 201, answer.text);
    return http.created.find(({ order }) => order.id === json.order.id)?.order.total;
  };

  t.is(await totalOf(999_999_999_999.99), '999999999999.99');
  t.is(await totalOf('999999999999.994999999'), '999999999999.99');
  t.is(await totalOf('120.0000000'), '120.00');
});

test('a pickup point stands in for street and city', async (t) => {
  const { account } = await http.own();
  const json = creationBody({ ship_data: { street: undefined, city: undefined, pickup: 'P7' } });

  const answer = await http.send('POST', '/shipments', { as: account, json });

  t.is(answer.status, 201, answer.text);
});

test('the fingerprint is of the body, the key of the header', async (t) => {
  const { account } = await http.own();
  const body = creationBody();
  const reordered = Object.fromEntries(Object.entries(body).reverse());
  const keys = async (json: unknown, key?: string) => {
    await http.send('POST', '/shipments', {
      as: account,
      json,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    });
    return http.created.filter((each) => each.creation.accountId === account.id).at(-1)?.creation.idempotency;
  };

  const plain = await keys(body);
  const same = await keys(reordered);
  const keyed = await keys(body, '"K1"');
  const unquoted = await keys(creationBody(), 'K1');
  const cased = await keys(body, 'k1');

  t.is(plain?.keyHash, same?.keyHash);
  t.is(plain?.fingerprint, same?.fingerprint);
  t.is(keyed?.fingerprint, plain?.fingerprint);
  t.is(keyed?.keyHash, unquoted?.keyHash);
  t.not(keyed?.fingerprint, unquoted?.fingerprint);
  t.not(cased?.keyHash, keyed?.keyHash);
  t.is(plain?.keepForSeconds, 86_400);
  t.is(keyed?.keepForSeconds, 30 * 86_400);
});
