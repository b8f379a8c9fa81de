import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { TimeoutMs } from '../../src/carriers/settings.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { type TestStack } from '../support/stack.js';

/** The longest time that a license may give one call, and the time that may pass before a booking's is sent. */
const LONGEST_CALL_S = Number(Reflect.get(TimeoutMs, 'maximum')) / 1000;
const SEND_WITHIN_S = 30;

const double = carrierDouble('long-calls');
const adapter: CarrierAdapter = {
  ...double.adapter,
  cancel: async () => ({ kind: 'accepted', value: { text: 'Cancelled' } }),
  label: async () => ({ kind: 'rejected', code: '1', text: 'No label' }),
  pickupPoints: async () => ({ kind: 'rejected', code: '1', text: 'No points' }),
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [adapter] }));
});
test.after.always(() => stack?.close());

test('the engine gives a call to a carrier the time that a license may give it', async (t) => {
  const { body } = await api.create(shipmentBody(stack.account, 'long-calls'));
  const { uuid } = body.data;
  await stack.db.run("UPDATE accounts SET label_method = 'carrier' WHERE id = ?", [stack.account.id]);
  await api.get(`/shipments/${uuid}/label`);
  await api.get(`/pickup-points?license_key=${stack.account.licenseKeys['long-calls']}`);
  const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});
  const [row] = await stack.db.select('SELECT workflow_id, license_id FROM shipments WHERE uuid = ?', [uuid]);

  const booking = await secondsOf(String(row?.workflow_id), 'book');
  const others = [
    await secondsOf(workflowIds.cancelShipment(uuid), 'cancelAtCarrier'),
    await secondsOf(workflowIds.fetchCarrierLabel(uuid), 'fetchLabel'),
    await secondsOf(workflowIds.refreshPickupPoints(Number(row?.license_id)), 'refreshPoints'),
  ];

  t.is(cancelled.status, 200, cancelled.text);
  t.true(booking > SEND_WITHIN_S + LONGEST_CALL_S, `${booking} s`);
  for (const seconds of others) t.true(seconds > LONGEST_CALL_S, `${others.join(', ')} s`);
});

/** How long a try of the run's activity may take. */
async function secondsOf(workflowId: string, activity: string): Promise<number> {
  const { events } = await stack.temporal.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: one }) => one ?? []);
  const found = scheduled.find(({ activityType }) => activityType?.name === activity);
  return Number(found?.startToCloseTimeout?.seconds);
}
