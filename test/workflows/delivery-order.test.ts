import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startReceiver } from '../support/receiver.js';
import {
  createShipment,
  deliveriesOf,
  settledDeliveries,
  subscribe,
  WEBHOOK_ENV,
} from '../support/webhooks.js';

const receiver = await startReceiver();
const { stack, api } = await startApiStack({ env: WEBHOOK_ENV });
test.after.always(() => Promise.all([stack.close(), receiver.close()]));

test('events of a shipment come in order also after a failure, while those of another go on', async (t) => {
  const webhook = await subscribe(stack, api, { url: receiver.url });
  const failing = await createShipment(stack, api);
  await settledDeliveries(api, webhook);
  await stack.temporal.workflow.getHandle(workflowIds.deliverWebhooks(webhook.id)).result();
  const pendingIsDue = async (moment: string) => {
    await stack.db.run(
      `UPDATE webhook_deliveries SET next_attempt_at = ${moment} WHERE subscription_id = ? AND status = 'pending'`,
      [webhook.id],
    );
    await api.patch(`/webhooks/${webhook.id}`, { license_key: webhook.licenseKey, is_active: true });
  };
  await stack.db.run(
    "UPDATE webhook_deliveries SET status = 'pending', attempts_allowed = 12 WHERE subscription_id = ?",
    [webhook.id],
  );
  await pendingIsDue('NOW(6) + INTERVAL 1 HOUR');

  await api.post(`/shipments/${failing.uuid}/cancel`, {});
  const other = await createShipment(stack, api);
  await eventually(() => receiver.requests.length >= 2, 'the event of the other shipment');
  const meanwhile = await deliveriesOf(api, webhook, '&filter[status]=pending');
  receiver.behave({ kind: 'answer', status: 200 }, { kind: 'answer', status: 500 });
  await pendingIsDue('NOW(6)');
  await settledDeliveries(api, webhook, 4);

  const told = receiver.requests
    .map(({ body }) => JSON.parse(body))
    .map(({ event, data }) => [event, data.id]);
  t.deepEqual(
    meanwhile.map(({ event, attempts }) => [event, attempts.length]),
    [
      ['shipment.cancelled', 0],
      ['shipment.status_changed', 0],
      ['shipment.created', 1],
    ],
  );
  t.deepEqual(told, [
    ['shipment.created', failing.uuid],
    ['shipment.created', other.uuid],
    ['shipment.created', failing.uuid],
    ['shipment.created', failing.uuid],
    ['shipment.status_changed', failing.uuid],
    ['shipment.cancelled', failing.uuid],
  ]);
});
