import createClient from 'openapi-fetch';
import type { paths } from './client.js';
import { check, PARCELS_ID, PARCELS_LICENSE, PARCELS_SECRET, PARCELS_URL, run, shipment } from './shop.js';

/** The steps of a shop with its parcels; prints the name of each step that worked. */
const client = createClient<paths>({
  baseUrl: PARCELS_URL,
  headers: { 'X-Client-Id': PARCELS_ID, 'X-Client-Secret': PARCELS_SECRET },
});

/** The answer of a call; its error is thrown. */
async function done<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const keyed = (order: string) => ({ header: { 'Idempotency-Key': `${order}-${run}` } });

async function isMade(uuid: string): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    const { data } = await done(client.GET('/batches/{uuid}/items', { params: { path: { uuid } } }));
    const [item] = data;
    if (item?.error) throw new Error(item.error.message);
    if (item?.status === 'created') return typeof item.shipment_id === 'string';
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return false;
}

const create = () => done(client.POST('/shipments', { params: keyed('one'), body: shipment('one') }));
const made = (await create()).data;
const params = { path: { uuid: made.uuid } };
check(made.uuid === (await create()).data.uuid && made.tracking_code !== null, 'create');
const filter = { query: { 'filter[order_id]': `one-${run}` } };
const listed = (await done(client.GET('/shipments', { params: filter }))).data;
check(listed.length === 1 && listed[0]?.uuid === made.uuid, 'list');
check((await done(client.GET('/shipments/{uuid}', { params }))).data.recipient.name === 'Dana Levi', 'fetch');
check(!(await done(client.POST('/shipments/{uuid}/cancel', { params }))).data.is_active, 'cancel');

const object = { license_key: PARCELS_LICENSE, shipments: [shipment('two')] };
const whole = await done(client.POST('/batches', { params: keyed('two'), body: object }));
check(await isMade(whole.data.id), 'batch-object');
const query = { license_key: PARCELS_LICENSE };
const bare = await done(
  client.POST('/batches', { params: { ...keyed('three'), query }, body: [shipment('three')] }),
);
check(await isMade(bare.data.id), 'batch-list');

const asked = { license_key: PARCELS_LICENSE, url: `https://shop.example/${run}` };
const webhook = (await done(client.POST('/webhooks', { body: { ...asked, events: ['shipment.created'] } })))
  .data;
check(webhook.secret.startsWith('whsec_'), 'subscribe');
await client.DELETE('/webhooks/{id}', { params: { path: { id: webhook.id }, query } });
const left = (await done(client.GET('/webhooks', { params: { query } }))).data;
check(
  left.every(({ id }) => id !== webhook.id),
  'unsubscribe',
);
