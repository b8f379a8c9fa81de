import { randomUUID } from 'node:crypto';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { dayInJerusalem } from '../../src/lib/time.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { type TestStack } from '../support/stack.js';

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ multipleShipment: false }));
});
test.after.always(() => stack?.close());

const dryRun = (body: object, headers = {}) => api.post('/shipments?dry_run=true', body, headers);

/** Counters of the rate limit, and when credentials were last used, belong to every request. */
const OF_EVERY_REQUEST = new Set(['rate_limits', 'client_credentials']);

/** Rows by table. */
async function rows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const row of await stack.db.select('SHOW TABLES')) {
    const table = String(Object.values(row)[0]);
    if (OF_EVERY_REQUEST.has(table)) continue;
    const [found] = await stack.db.select(`SELECT COUNT(*) AS n FROM ${table}`);
    counts[table] = Number(found?.n);
  }
  return counts;
}

async function runs(): Promise<number> {
  return (await stack.temporal.workflow.count()).count;
}

async function parcels(): Promise<number> {
  const ledgers = await Promise.all([...stack.sandboxes.values()].map((sandbox) => sandbox.ledger()));
  return ledgers.flat().length;
}

test.serial(
  'POST /shipments?dry_run=true: writes no row, starts no run, books nothing, and leaves its key unused',
  async (t) => {
    const key = randomUUID();
    const body = shipmentBody(stack.account, 'run', { order: { number: '#77' } });
    const before = { rows: await rows(), runs: await runs(), parcels: await parcels() };

    const would = await dryRun(body, { 'idempotency-key': key });

    t.is(would.status, 200, would.text);
    t.deepEqual(await rows(), before.rows);
    t.is(await runs(), before.runs);
    t.is(await parcels(), before.parcels);
    t.false(JSON.stringify(would.body).includes('sandbox-token'));
    const other = await api.create(shipmentBody(stack.account, 'run'), key);
    t.is(other.status, 201, other.text);
    t.is(other.headers.get('idempotent-replayed'), null);
  },
);

for (const { provider } of allCarriers()) {
  test.serial(`POST /shipments?dry_run=true: says what the creation sends to ${provider}`, async (t) => {
    const body = shipmentBody(stack.account, provider, { ship_data: { floor: '3', house_no: '4' } });

    const would = await dryRun(body);
    const made = await api.create(body, randomUUID());

    t.is(would.status, 200, would.text);
    t.is(made.status, 201, made.text);
    const { carrier, would_send: sent, warnings } = would.body.data;
    t.deepEqual(carrier, made.body.data.carrier);
    t.deepEqual(warnings, []);
    t.is(sent.order_number, body.order.id);
    t.is(sent.recipient.number, '4, 50');
    t.is(sent.exaction_date, dayInJerusalem(new Date()));
    const ledger = (await stack.sandboxes.get(provider)?.ledger()) ?? [];
    const told = ledger.find(({ code }) => code === made.body.data.tracking_code)?.request;
    const said = JSON.stringify(told ?? sent);
    for (const one of [sent.recipient.name, sent.recipient.city, sent.recipient.street, sent.order_number]) {
      t.true(said.includes(one), `${provider} is not told ${one}: ${said}`);
    }
  });
}

/**
 * Bodies that the creation refuses, by whom: the schema, the rules of both carriers and settings, and the carrier's
 * adapter.
 */
const REFUSED: [what: string, provider: string, parts: { ship_data?: object; order?: object }][] = [
  ['no name', 'run', { ship_data: { contact_name: '' } }],
  ['no phone', 'run', { ship_data: { contact_phone: 'none' } }],
  ['neither street nor point', 'run', { ship_data: { street: '', city: '' } }],
  ['a day gone by', 'run', { ship_data: { exaction_date: '2020-01-01' } }],
  ['a country that is none', 'run', { order: { shipping: { country: 'Nowhere' } } }],
  ['cash at a carrier without it', 'wolt_drive', { ship_data: { is_cod: true, cod_amount: '10' } }],
  ['a collection from elsewhere', 'wolt_drive', { ship_data: { type: 2 } }],
  ['a point of a carrier without points', 'getpackage', { ship_data: { pickup: 'P1' } }],
  ['a city too long for the carrier', 'run', { ship_data: { city: 'x'.repeat(200) } }],
  ['a license that is not theirs', 'nobody', {}],
];

for (const [what, provider, parts] of REFUSED) {
  test.serial(`POST /shipments?dry_run=true: refuses ${what} in the creation's own words`, async (t) => {
    const body = shipmentBody(stack.account, provider, parts);
    const license_key = provider === 'nobody' ? 'not-ours' : body.license_key;

    const would = await dryRun({ ...body, license_key });
    const made = await api.create({ ...body, license_key }, randomUUID());

    t.true(made.status >= 400, made.text);
    t.is(would.status, made.status, would.text);
    t.deepEqual(would.body, made.body);
  });
}

test.serial(
  'POST /shipments?dry_run=true: 409 for the order that has a shipment, as the creation',
  async (t) => {
    const body = shipmentBody(stack.account, 'run');
    const first = await api.create(body, randomUUID());

    const would = await dryRun(body);
    const second = await api.create(body, randomUUID());

    t.is(second.status, 409, second.text);
    t.deepEqual(would.body, second.body);
    t.true(would.text.includes(first.body.data.uuid));
    // A collection is another service: the delivery does not stand in its way.
    const back = await dryRun({ ...body, ship_data: { ...body.ship_data, type: 2 } });
    t.is(back.status, 200, back.text);
  },
);

test.serial(
  'POST /shipments?dry_run=true: warns of a second parcel where the license allows one',
  async (t) => {
    const body = shipmentBody(stack.account, 'run', { ship_data: { note: 'long '.repeat(150) } });
    await stack.db.run('UPDATE licenses SET multiple_shipment = TRUE WHERE license_key = ?', [
      String(body.license_key),
    ]);
    t.teardown(() =>
      stack.db.run('UPDATE licenses SET multiple_shipment = FALSE WHERE license_key = ?', [
        String(body.license_key),
      ]),
    );
    const first = await api.create(body, randomUUID());

    const would = await dryRun(body);

    t.is(would.status, 200, would.text);
    const { warnings } = would.body.data;
    t.deepEqual(
      warnings.map(({ code, field }: { code: string; field: string }) => [code, field]),
      [
        ['order_has_shipment', 'order.id'],
        ['note_cut', 'ship_data.note'],
      ],
    );
    t.true(warnings[0].message.includes(first.body.data.uuid));
  },
);

test.serial(
  'POST /shipments?dry_run=true: says that a point was not checked where there is no list',
  async (t) => {
    const body = shipmentBody(stack.account, 'cargo', { ship_data: { pickup: '1' } });

    const would = await dryRun(body);

    t.is(would.status, 200, would.text);
    t.deepEqual(would.body.data.warnings[0]?.code, 'pickup_point_unchecked');
    t.is(would.body.data.would_send.pickup_point_id, '1');
  },
);

for (const query of ['dry_run=', 'dry_run', 'dry_run=yes', 'dry_run[]=true', 'dryRun=true', 'dry-run=1']) {
  test.serial(`POST /shipments?${query}: 422, so that what was meant to be dry books nothing`, async (t) => {
    const before = await parcels();

    const answer = await api.post(`/shipments?${query}`, shipmentBody(stack.account, 'run'));

    t.is(answer.status, 422, answer.text);
    t.deepEqual(Object.keys(answer.body.error.fields), ['dry_run']);
    t.is(await parcels(), before);
  });
}

test.serial('POST /shipments?dry_run=false: books', async (t) => {
  const answer = await api.post('/shipments?dry_run=false', shipmentBody(stack.account, 'run'));

  t.is(answer.status, 201, answer.text);
});

test('POST /shipments/dry-run: answers as the parameter does, and its answer is no creation of the document', async (t) => {
  const body = shipmentBody(stack.account, 'run');

  const own = await api.post('/shipments/dry-run', body);

  t.is(own.status, 200, own.text);
  t.deepEqual(own.body, (await dryRun(body)).body);
  const { paths } = (await api.get('/openapi.json')).body;
  t.deepEqual(
    Object.keys(paths['/shipments'].post.responses).filter((status) => status.startsWith('2')),
    ['201', '202'],
  );
});
