import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { BATCH_WOKEN } from '../../src/contracts/run-batch.js';
import { randomToken } from '../../src/lib/secrets.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

const slow = carrierDouble('slow');
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ doubles: [slow.adapter] });
  Object.assign(stack.config, { createWaitMs: patient(1500) });
  await stack.startWorkers();
  api = new ApiClient(await stack.startApi(), stack.account);
});
test.after.always(() => stack?.close());

for (const [where, named, knows] of [
  ['in the batch', 'slow', true],
  ['in the item', 'run', true],
  ['in the item, which does not know its shipment yet', 'run', false],
] as const) {
  test.serial(`a license's key that changes meanwhile books nothing again: named ${where}`, async (t) => {
    const letGo = slow.hold(t);
    const { license_key: key, ...unnamed } = shipmentBody(stack.account, 'slow');
    const body = named === 'slow' ? unnamed : { ...unnamed, license_key: key };
    const license_key = stack.account.licenseKeys[named];
    const id = (await api.post('/batches', { license_key, shipments: [body] })).body.data.id;
    const known = await eventually(() => knownShipment(id), 'the item to know its shipment');
    await eventually(async () => (await passesOf(id)) > 0, 'the end of the first pass');
    if (!knows) await forgetShipment(known);
    await changeKey();
    const passes = await passesOf(id);

    await stack.temporal.workflow.getHandle(workflowIds.runBatch(id)).signal(BATCH_WOKEN);
    await eventually(async () => (await passesOf(id)) > passes, 'a pass under the new key');
    letGo();
    await endOfCreation(known);
    // Else the next pass may be a minute away. A batch that has ended by itself needs none.
    await stack.temporal.workflow
      .getHandle(workflowIds.runBatch(id))
      .signal(BATCH_WOKEN)
      .catch(() => undefined);
    const item = await eventually(async () => {
      const [{ status, ...rest }] = (await api.get(`/batches/${id}/items`)).body.data;
      return status !== 'pending' && { status, ...rest };
    }, 'the outcome');

    t.like(item, { status: 'created', shipment_id: known, error: null });
    t.deepEqual(await shipmentsOf(body.order.id), [known]);
    t.is(slow.told.filter(({ reference }) => reference === known).length, 1);
  });
}

/** As the administrator's program does, for the rest of the file. */
async function changeKey(): Promise<void> {
  const [before = '', key] = [stack.account.licenseKeys.slow, randomToken('lic_', 18)];
  const { code, err } = await runAdmin(['licenses', 'change', before, '--key', key], stack.env);
  if (code !== 0) throw new Error(err);
  stack.account.licenseKeys.slow = key;
}

/** How many times a worker has gone over the batch's items. */
async function passesOf(id: string): Promise<number> {
  const { events } = await stack.temporal.workflow.getHandle(workflowIds.runBatch(id)).fetchHistory();
  const types = new Map(
    events?.map((one) => [String(one.eventId), one.activityTaskScheduledEventAttributes?.activityType?.name]),
  );
  const ended = events?.filter(({ activityTaskCompletedEventAttributes: end }) => {
    return types.get(String(end?.scheduledEventId)) === 'runItems';
  });
  return ended?.length ?? 0;
}

/** The shipment that the batch's item knows, made or not. */
async function knownShipment(batchUuid: string): Promise<string | false> {
  const [row] = await stack.db.select(
    `SELECT i.shipment_uuid FROM batch_items i JOIN batches b ON b.id = i.batch_id
     WHERE b.uuid = ? AND i.shipment_uuid IS NOT NULL`,
    [batchUuid],
  );
  return row !== undefined && String(row.shipment_uuid);
}

/** As after a worker that ended at once when it had begun the item. */
async function forgetShipment(uuid: string): Promise<void> {
  await stack.db.run('UPDATE batch_items SET shipment_uuid = NULL WHERE shipment_uuid = ?', [uuid]);
}

async function endOfCreation(uuid: string): Promise<void> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  await stack.temporal.workflow.getHandle(String(row?.workflow_id)).result();
}

async function shipmentsOf(orderId: string): Promise<unknown[]> {
  const rows = await stack.db.select(
    'SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = ?',
    [orderId],
  );
  return rows.map(({ uuid }) => uuid);
}
