import test from 'ava';
import { run } from '../../src/carriers/run/index.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import {
  inboundEvent,
  inboundUrlOf,
  licenseIdOf,
  storedEvents,
  tell,
  withInbound,
} from '../support/inbound.js';
import { patient } from '../support/patience.js';
import { startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { createShipment, deliveriesOf, subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);

test('a worker killed between taking up an event and recording it leaves it to the next, which applies it once', async (t) => {
  t.timeout(patient(REPEATS * 120_000));
  const stack = await startStack({ env: WEBHOOK_ENV });
  t.teardown(() => stack.close());
  const api = new ApiClient(await stack.startApi([withInbound(run)]), stack.account);
  const webhook = await subscribe(stack, api, {
    // Nobody listens: the deliveries are looked at, not received.
    url: 'http://127.0.0.1:9/',
    provider: 'run',
    events: ['shipment.status_changed'],
  });
  const url = await inboundUrlOf(stack, api.url, 'run');
  const licenseId = await licenseIdOf(stack, 'run');
  for (let turn = 1; turn <= REPEATS; turn += 1) {
    const worker = await startWorkerProcess(t, stack);
    const { uuid, tracking_code: trackingCode } = await createShipment(stack, api, 'run');
    const before = (await deliveriesOf(api, webhook)).length;
    const event = inboundEvent('out_for_delivery', { trackingCode });

    await stack.db.transaction(async (tx) => {
      await tx.select('SELECT id FROM shipments WHERE uuid = ? FOR UPDATE', [uuid]);
      const { status } = await tell(url, [event]);
      t.is(status, 200);
      // Locked by the worker, which waits for the shipment in the same transaction.
      await eventually(async () => {
        const free = await stack.db.select(
          `SELECT id FROM inbound_events WHERE license_id = ? AND status = 'pending' FOR UPDATE SKIP LOCKED`,
          [licenseId],
        );
        return free.length === 0;
      }, 'the worker to take up the event');
      await worker.kill9();
    });
    const left = (await storedEvents(stack, 'run')).at(-1);
    const next = await startWorkerProcess(t, stack);
    const applied = await eventually(async () => {
      const one = (await storedEvents(stack, 'run')).at(-1);
      return one?.status === 'applied' && one;
    }, 'the event to be applied');

    t.deepEqual([left?.status, left?.attempts], ['pending', 0]);
    t.is(applied.attempts, 1);
    const { body } = await api.get(`/shipments/${uuid}/status`);
    t.is(body.data.status.code, 'out_for_delivery');
    t.is(body.data.history.filter((one: { code: string }) => one.code === 'out_for_delivery').length, 1);
    t.is((await deliveriesOf(api, webhook)).length, before + 1);
    await next.kill9();
  }
});
