import test from 'ava';
import { type ApiClient, startApiStack } from '../support/api-client.js';
import { appliedEvents, pointWebhooks, storedEvents } from '../support/inbound.js';
import { type TestStack } from '../support/stack.js';
import { createShipment } from '../support/webhooks.js';

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack());
});
test.after.always(() => stack?.close());

for (const provider of ['lionwheel', 'cargo'] as const) {
  test(`what ${provider} posts to the secret path is the status, and polling goes on from there`, async (t) => {
    const sandbox = await pointWebhooks(stack, api.url, provider);
    const { uuid, tracking_code: code } = await createShipment(stack, api, provider);

    const first = await sandbox.advance(code, 'out_for_delivery', { times: 2 });
    await appliedEvents(stack, provider, code, 1);
    const moved = await api.get(`/shipments/${uuid}/status`);
    await stack.db.run('UPDATE shipments SET next_poll_at = NOW(6) WHERE uuid = ?', [uuid]);
    const polled = await stack.temporal.workflow.execute('pollCarrier', {
      taskQueue: 'shipments',
      workflowId: `poll-inbound-${provider}`,
      args: [{ provider }],
    });
    const same = await api.get(`/shipments/${uuid}/status`);
    await sandbox.advance(code, 'delivered');
    await appliedEvents(stack, provider, code, 2);

    t.is(first.webhook_status, 200);
    t.is(moved.body.data.status.code, 'out_for_delivery');
    t.deepEqual(polled, { checked: 1, changed: 0 });
    t.deepEqual(same.body.data.history, moved.body.data.history);
    t.is((await api.get(`/shipments/${uuid}/status`)).body.data.status.code, 'delivered');
    t.is((await storedEvents(stack, provider)).length, 2);
  });
}
