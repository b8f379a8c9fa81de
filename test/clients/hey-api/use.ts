import { client } from './client/client.gen.js';
import {
  cancelShipment,
  createBatch,
  createShipment,
  createWebhook,
  deleteWebhook,
  getShipment,
  listBatchItems,
  listShipments,
  listWebhooks,
} from './client/index.js';
import { check, PARCELS_ID, PARCELS_LICENSE, PARCELS_SECRET, PARCELS_URL, run, shipment } from './shop.js';

/** The steps of a shop with its parcels; prints the name of each step that worked. */
client.setConfig({
  baseUrl: PARCELS_URL,
  throwOnError: true,
  auth: ({ name }) => (name === 'X-Client-Id' ? PARCELS_ID : PARCELS_SECRET),
});

async function isMade(uuid: string): Promise<boolean> {
  for (let tries = 0; tries < 120; tries++) {
    const { data } = await listBatchItems({ path: { uuid }, throwOnError: true });
    const [item] = data.data;
    if (item?.error) throw new Error(item.error.message);
    if (item?.status === 'created') return typeof item.shipment_id === 'string';
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return false;
}

const create = async () => {
  const headers = { 'Idempotency-Key': `one-${run}` };
  const { data } = await createShipment({ body: shipment('one'), headers, throwOnError: true });
  return data.data;
};
const made = await create();
const path = { uuid: made.uuid };
check(made.uuid === (await create()).uuid && made.tracking_code !== null, 'create');
const listed = await listShipments({ query: { 'filter[order_id]': `one-${run}` }, throwOnError: true });
check(listed.data.data.length === 1 && listed.data.data[0]?.uuid === made.uuid, 'list');
check((await getShipment({ path, throwOnError: true })).data.data.recipient.name === 'Dana Levi', 'fetch');
check(!(await cancelShipment({ path, throwOnError: true })).data.data.is_active, 'cancel');

const whole = await createBatch({
  body: { license_key: PARCELS_LICENSE, shipments: [shipment('two')] },
  headers: { 'Idempotency-Key': `two-${run}` },
  throwOnError: true,
});
check(await isMade(whole.data.data.id), 'batch-object');
const bare = await createBatch({
  body: [shipment('three')],
  query: { license_key: PARCELS_LICENSE },
  headers: { 'Idempotency-Key': `three-${run}` },
  throwOnError: true,
});
check(await isMade(bare.data.data.id), 'batch-list');

const asked = { license_key: PARCELS_LICENSE, url: `https://shop.example/${run}` };
const { data: webhook } = await createWebhook({
  body: { ...asked, events: ['shipment.created'] },
  throwOnError: true,
});
check(webhook.data.secret.startsWith('whsec_'), 'subscribe');
const query = { license_key: PARCELS_LICENSE };
await deleteWebhook({ path: { id: webhook.data.id }, query, throwOnError: true });
const left = await listWebhooks({ query, throwOnError: true });
check(
  left.data.data.every(({ id }) => id !== webhook.data.id),
  'unsubscribe',
);
