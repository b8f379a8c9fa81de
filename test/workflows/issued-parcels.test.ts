import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { parcelOfCode } from '../../src/domain/shipment.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { decode } from '../support/bookings.js';
import { carrierDouble } from '../support/carrier-double.js';
import { forget } from '../support/forgetting.js';
import { keepHistory } from '../support/histories.js';
import { attributesOf, detailsOf } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const own = carrierDouble('own');
/** The codes that come next; then the reference's own. */
const codes: string[] = [];
const issuing: CarrierAdapter = {
  ...own.adapter,
  issue: (reference) => parcelOfCode(codes.shift() ?? reference),
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [issuing] }, { createWaitMs: 20_000 }));
});
test.after.always(() => stack?.close());

const create = (fields: object = {}, key?: string) =>
  api.create(shipmentBody(stack.account, 'independent', fields), key);

test.serial(
  'POST /shipments: nobody is called for an own courier, and its run has seven events',
  async (t) => {
    const { status, body, text } = await create();
    const { uuid, tracking_code: code } = body.data;
    const run = await runOf(uuid);
    await run.result();

    const { historyLength } = await run.describe();

    t.is(status, 201, text);
    t.is(historyLength, 7);
    t.like(await attributesOf(run), { ShipmentId: uuid, TrackingCode: code, BookingState: 'booked' });
    t.is(
      await detailsOf(run),
      `Booked with Independent couriers: ${code}. \`admin show ${uuid}\` tells more.`,
    );
    t.deepEqual(await stack.db.select('SELECT id FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]), []);
    const { data } = (await api.get(`/shipments/${uuid}/status`)).body;
    t.deepEqual(
      data.history.map((entry: { code: string }) => entry.code),
      ['created'],
    );
    await keepHistory(run, 'createShipment', 'issued');
  },
);

test.serial(
  'a try whose answer the engine did not get is answered as the first, and names its parcel',
  async (t) => {
    const { body, text, status } = await create();
    const { uuid, tracking_code: code } = body.data;
    const first = await runOf(uuid);
    await first.result();
    const { events } = await first.fetchHistory();
    const args = decode<unknown>(events?.[0]?.workflowExecutionStartedEventAttributes?.input);

    const again = await stack.temporal.workflow.start('createShipment', {
      workflowId: first.workflowId,
      taskQueue: 'shipments',
      args,
    });
    const result = await again.result();

    t.like(result, { body: text, status, replayed: false });
    t.like(await attributesOf(again), { ShipmentId: uuid, TrackingCode: code, BookingState: 'booked' });
    const rows = await stack.db.select('SELECT id FROM shipments WHERE workflow_id = ?', [first.workflowId]);
    t.is(rows.length, 1);
  },
);

test.serial(
  'an own courier’s parcel that the database has lost is recorded again, with its code',
  async (t) => {
    const first = await create({}, 'lost');
    const { uuid } = first.body.data;
    await (await runOf(uuid)).result();
    await forget(stack.db, uuid);

    const again = await create({ order: first.body.data.order }, 'other');
    const repeated = await api.get(`/shipments/${uuid}`);

    t.is(again.status, 201, again.text);
    t.not(again.body.data.uuid, uuid);
    t.is(repeated.status, 200, repeated.text);
    t.is(repeated.body.data.tracking_code, first.body.data.tracking_code);
  },
);

test.serial('an existing order has the items of its newest own courier’s parcel', async (t) => {
  const { order } = shipmentBody(stack.account, 'independent');
  const item = (name: string) => ({ name, quantity: 1, price: 10 });
  await create({ order: { ...order, items: [item('Cup')] } });

  const { status, text, body } = await create({ order: { ...order, items: [item('Plate'), item('Bowl')] } });

  t.is(status, 201, text);
  const rows = await stack.db.select(
    `SELECT i.name FROM order_items i JOIN shipments s ON s.order_id = i.order_id
     WHERE s.uuid = ? ORDER BY i.position`,
    [body.data.uuid],
  );
  t.deepEqual(
    rows.map(({ name }) => name),
    ['Plate', 'Bowl'],
  );
});

test.serial('a parcel whose code another one of the license has is issued under another code', async (t) => {
  codes.push('OWN-1', 'OWN-1');
  const first = await api.create(shipmentBody(stack.account, 'own'));

  const second = await api.create(shipmentBody(stack.account, 'own'));

  t.is(first.body.data.tracking_code, 'OWN-1', first.text);
  t.is(second.status, 201, second.text);
  t.is(second.body.data.tracking_code, second.body.data.uuid);
  t.is(own.booked.length, 0);
});

async function runOf(uuid: string) {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  return stack.temporal.workflow.getHandle(String(row?.workflow_id));
}
