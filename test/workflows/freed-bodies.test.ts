import test from 'ava';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';

const double = carrierDouble('double');
const { stack, api } = await startApiStack(
  { doubles: [double.adapter], multipleShipment: false },
  { createWaitMs: 20_000 },
);
test.after.always(() => stack.close());

const newBody = () => shipmentBody(stack.account, 'double');
type Body = ReturnType<typeof newBody>;

test.serial(
  'POST /shipments: without a key a body makes a new parcel once its shipment is not alive',
  async (t) => {
    const body = newBody();
    const first = await api.create(body);
    const whileAlive = await api.create(body);
    await end(first.body.data.uuid, 'returned');

    const [second, joined] = await Promise.all([api.create(body), api.create(body)]);
    const again = await api.create(body);

    t.is(whileAlive.text, first.text);
    t.deepEqual([second.status, joined.status], [201, 201], second.text + joined.text);
    t.not(second.body.data.uuid, first.body.data.uuid);
    t.is(joined.text, second.text);
    t.is(again.text, second.text);
    t.is(again.headers.get('idempotent-replayed'), 'true');
    t.is(parcelsOf([first.body.data.uuid, second.body.data.uuid]), 2);
  },
);

test.serial('POST /shipments: a key that was chosen answers on', async (t) => {
  const body = newBody();
  const first = await api.create(body, 'chosen');
  await end(first.body.data.uuid, 'lost');

  const again = await api.create(body, 'chosen');

  t.is(again.text, first.text);
  t.is(again.headers.get('idempotent-replayed'), 'true');
});

test.serial(
  'POST /batches: an item whose shipment is not alive is a new parcel, also where the batch is the same',
  async (t) => {
    const [ended, alive] = [newBody(), newBody()];
    const first = await itemsOf(await batchOf([ended, alive]));
    await end(first[0] ?? '', 'cancelled');

    const same = await itemsOf(await batchOf([ended, alive]));
    await end(same[0] ?? '', 'cancelled');
    const alone = await itemsOf(await batchOf([ended]));

    t.is(same[1], first[1]);
    t.is(new Set([first[0], same[0], alone[0]]).size, 3);
    t.is(parcelsOf([...first, ...same, ...alone]), 4);
  },
);

test.serial(
  'POST /batches: what a batch has made stands for its items, though it is not alive any more',
  async (t) => {
    const body = newBody();
    const id = await batchOf([body, body]);
    const [made, equal] = await itemsOf(id);
    await end(made ?? '', 'cancelled');

    // As after a pass that ended before it told one item, and after one of equal items that came late.
    for (const shipment of ['NULL', 'shipment_uuid']) {
      await stack.db.run(
        `UPDATE batch_items SET status = 'failed', error = '{"code":"internal_error","message":"x"}', shipment_uuid = ${shipment}
       WHERE position = 1 AND batch_id = (SELECT id FROM batches WHERE uuid = ?)`,
        [id],
      );
      await stack.db.run(
        'UPDATE batches SET created_count = created_count - 1, failed_count = failed_count + 1 WHERE uuid = ?',
        [id],
      );
      const retried = await api.post(`/batches/${id}/retry`, {});
      t.true(retried.status < 300, retried.text);
      t.deepEqual(await itemsOf(id), [made, made]);
    }

    t.is(equal, made);
    t.is(parcelsOf([made]), 1);
  },
);

test.serial(
  'POST /batches: an item that missed its shipment finds it, even if another owns its key by now',
  async (t) => {
    const body = newBody();
    const id = await batchOf([body]);
    const [made] = await itemsOf(id);
    await end(made ?? '', 'cancelled');
    await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [made ?? '']);
    await stack.db.run(
      `UPDATE batch_items SET status = 'pending', shipment_uuid = NULL
     WHERE batch_id = (SELECT id FROM batches WHERE uuid = ?)`,
      [id],
    );
    await stack.db.run('UPDATE batches SET created_count = 0, pending_count = 1 WHERE uuid = ?', [id]);

    const sweep = await stack.temporal.workflow.start('resumeBatches', {
      workflowId: `resume-${id}`,
      taskQueue: 'shipments',
    });
    await sweep.result();

    t.deepEqual(await itemsOf(id), [made]);
    t.is(parcelsOf([made]), 1);
  },
);

/**
 * Ends a shipment as a carrier's status or a cancellation does. A request that meets the run before its end would join
 * it.
 */
async function end(uuid: string, status: string): Promise<void> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
  await stack.temporal.workflow.getHandle(String(row?.workflow_id)).result();
  await stack.db.run('UPDATE shipments SET is_active = FALSE, status_code = ? WHERE uuid = ?', [
    status,
    uuid,
  ]);
}

async function batchOf(shipments: Body[]): Promise<string> {
  const answer = await api.post('/batches', { license_key: stack.account.licenseKeys.double, shipments });
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.body.data.id;
}

/** The uuids of the shipments of a batch, once it is completed. */
async function itemsOf(id: string): Promise<string[]> {
  await eventually(async () => {
    const { data } = (await api.get(`/batches/${id}`)).body;
    return data.status === 'completed';
  }, 'the end of the batch');
  const { body } = await api.get(`/batches/${id}/items`);
  return body.data.map((item: { shipment_id: string }) => item.shipment_id);
}

const parcelsOf = (uuids: readonly (string | undefined)[]) =>
  double.booked.filter((reference) => uuids.includes(reference)).length;
