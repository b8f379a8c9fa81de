import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listLabelSources } from '../../src/db/queries/labels/label-sources.js';
import { composeLabels } from '../../src/documents/labels/document.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { type TestStack } from '../support/stack.js';

let stack: TestStack;
let api: ApiClient;

const WITH_POINTS = ['run', 'cargo', 'lionwheel'] as const;
type Provider = (typeof WITH_POINTS)[number];
const points = new Map<string, { id: string; name: string; city: string; street: string; number: string }>();

test.before(async () => {
  ({ stack, api } = await startApiStack());
  for (const provider of WITH_POINTS) {
    const list = await api.get(`/pickup-points?license_key=${stack.account.licenseKeys[provider]}`);
    const point = list.body.data.find(({ city }: { city: string }) => city !== 'Tel Aviv');
    points.set(provider, point);
  }
});
test.after.always(() => stack?.close());

const create = (provider: string, ship: object) =>
  api.create(shipmentBody(stack.account, provider, { ship_data: ship }), randomUUID());

async function labelOf(uuid: string) {
  const sources = await listLabelSources(stack.db, { accountId: stack.account.id, uuids: [uuid] });
  const { labels } = await composeLabels(sources, DEFAULT_LABEL_OPTIONS, { baseUrl: 'https://example.test' });
  return labels[0];
}

async function toldCity(provider: Provider, reference: string): Promise<unknown> {
  const ledger = (await stack.sandboxes.get(provider)?.ledger()) ?? [];
  const parcel = ledger.find((one) => one.reference === reference) as Record<string, any> | undefined;
  const told = parcel?.request ?? {};
  return told.P13 ?? told.to_address?.city ?? told.destination_city;
}

for (const provider of WITH_POINTS) {
  test(`${provider}: carrier, label and page name the point instead of the recipient's address`, async (t) => {
    const point = points.get(provider);
    const home = { street: 'Dizengoff', number: '99', city: 'Tel Aviv', floor: '3' };

    const booked = await create(provider, { ...home, pickup: point?.id, pickup_address: 'Kiosk' });
    const { uuid, short_tracking_code: code } = booked.body.data;
    const label = await labelOf(uuid);
    const page = await (await fetch(`${api.url}/track/${code}?lang=en`)).text();

    t.is(booked.status, 201, booked.text);
    t.is(await toldCity(provider, uuid), point?.city);
    t.like(label?.to, {
      name: 'Dana Levi',
      street: point?.name,
      rooms: [`${point?.street} ${point?.number}`.trim()],
      city: point?.city,
    });
    t.false(page.includes('Tel Aviv'));
    t.true(page.includes(`<dt>Destination</dt><dd><bdi>${point?.city}</bdi></dd>`), page);
  });

  test(`${provider}: an unknown point is refused at its field`, async (t) => {
    const unknown = ['9999999', `0${points.get(provider)?.id}`];

    const refused = await Promise.all([
      ...unknown.map((pickup) => create(provider, { pickup })),
      ...unknown.map((pickup) => create(provider, { pickup, street: undefined, city: undefined })),
    ]);

    for (const { status, text, body } of refused) {
      t.is(status, 422, text);
      t.deepEqual(Object.keys(body.error.fields), ['ship_data.pickup']);
      t.regex(body.error.fields['ship_data.pickup'][0], /no such pickup point/i);
    }
    t.false(JSON.stringify(await stack.sandboxes.get(provider)?.ledger()).includes('9999999'));
  });
}

test('an unknown point is refused in v1 and in a batch, each in its own form', async (t) => {
  const { license_key, ship_data, order } = shipmentBody(stack.account, 'run', {
    ship_data: { pickup: '9999999' },
  });
  const v1 = { license_key, domain: 'shop.example', ship_data, order, platform: 'woocommerce' };

  const single = await fetch(`${api.url}/api/shipping/open_new_order`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(v1),
  });
  const batch = await api.post('/batches', { license_key, shipments: [{ ship_data, order }] });
  const { id } = batch.body.data;
  t.is(batch.status, 202, batch.text);
  const items = await eventually(async () => {
    const answer = await api.get(`/batches/${id}/items?filter[status]=failed`);
    return answer.body.data?.length === 1 ? answer.body.data : undefined;
  }, 'the item of the batch');

  t.is(single.status, 500);
  t.like(await single.json(), { success: false, message: 'The carrier has no such pickup point.' });
  t.like(items[0].error, {
    code: 'validation_failed',
    fields: { 'ship_data.pickup': ['The carrier has no such pickup point.'] },
  });
});

test('a carrier without points accepts one with an address, which is on the label', async (t) => {
  const address = 'Kiosk, הרצל 12, חיפה';

  const unnamed = await create('independent', { pickup: 'K1' });
  const named = await create('independent', { pickup: 'K1', pickup_address: address });
  const label = await labelOf(named.body.data?.uuid);

  t.is(unnamed.status, 422, unnamed.text);
  t.regex(unnamed.body.error.fields['ship_data.pickup'][0], /pickup_address/);
  t.is(named.status, 201, named.text);
  t.like(label?.to, { street: address, rooms: [], city: '' });
});

test.serial('without a stored copy the carrier decides, and the copy is fetched for the label', async (t) => {
  const licenseKey = stack.account.licenseKeys.run;
  await stack.db.run(
    `DELETE p, k FROM licenses l JOIN pickup_point_copies k ON k.license_id = l.id
     JOIN pickup_points p ON p.license_id = l.id WHERE l.license_key = ?`,
    [licenseKey ?? ''],
  );

  const known = await create('run', { pickup: '1002' });
  const refused = await create('run', { pickup: '9999999' });
  const copied = await eventually(async () => {
    const rows = await stack.db.select(
      `SELECT 1 FROM pickup_points p JOIN licenses l ON l.id = p.license_id
       WHERE l.license_key = ? AND p.point_id = '1002'`,
      [licenseKey ?? ''],
    );
    return rows.length === 1 ? true : undefined;
  }, 'the copy of the points');

  t.is(known.status, 201, known.text);
  t.is(refused.status, 422, refused.text);
  t.true(copied);
  t.is((await labelOf(known.body.data.uuid))?.to.city, 'חיפה');
});
