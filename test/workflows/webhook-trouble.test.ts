import { randomBytes } from 'node:crypto';
import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { ApiClient, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { appKeysOf } from '../support/factories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type TestStack } from '../support/stack.js';
import {
  assertSigned,
  createShipment,
  settledDeliveries,
  subscribe,
  WEBHOOK_ENV,
} from '../support/webhooks.js';

let stack: TestStack;
let api: ApiClient;
let mail: MailServer;
let receiver: Receiver;

test.before(async () => {
  mail = await startMailServer();
  receiver = await startReceiver();
  ({ stack, api } = await startApiStack({ env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } }));
});
test.after.always(async () => {
  await stack?.close();
  await receiver?.close();
  await mail?.close();
});

test.serial(
  'the owner of a webhook that its test has turned off is notified, though the wake was lost',
  async (t) => {
    receiver.behave({ kind: 'answer', status: 410 });
    const webhook = await subscribe(stack, api, { url: receiver.url });
    const signalWithStart: WorkflowClientInterceptor['signalWithStart'] = () => {
      throw new Error('the engine is away');
    };
    const away = new Client({
      ...stack.temporal.options,
      interceptors: { workflow: [{ signalWithStart }] },
    });
    const lonely = new ApiClient(await stack.startApi(undefined, {}, away), stack.account);
    await lonely.post(`/webhooks/${webhook.id}/ping`, { license_key: webhook.licenseKey });
    await stack.db.run(
      'UPDATE webhook_subscriptions SET updated_at = updated_at - INTERVAL 1 MINUTE WHERE id = ?',
      [webhook.id],
    );

    const woken = await stack.temporal.workflow.execute('wakeDeliveries', {
      workflowId: 'wake-owners',
      taskQueue: 'shipments',
    });

    t.deepEqual(woken, { woken: 1 });
    const mails = () => mail.mails.filter(({ text }) => text?.includes(webhook.id));
    await eventually(() => mails().length > 0, 'the mail');
    await stack.temporal.workflow.getHandle(workflowIds.deliverWebhooks(webhook.id)).result();
    t.is(mails().length, 1);
    t.is(mails()[0]?.subject, 'Your webhook was turned off');
  },
);

test.serial('what cannot be signed fails as what is not taken', async (t) => {
  const sent = receiver.requests.length;
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await stack.db.run('UPDATE webhook_subscriptions SET secret = ? WHERE id = ?', [
    appKeysOf(randomBytes(32)).seal('webhook secret', 'whsec_of-another-key'),
    webhook.id,
  ]);

  await createShipment(stack, api);

  const [delivery] = await settledDeliveries(api, webhook);
  t.is(delivery?.status, 'failed');
  t.is(delivery?.attempts.length, 6);
  t.is(delivery?.attempts[0]?.error, 'The signing secret cannot be read. Rotate it.');
  t.is(receiver.requests.length, sent);
});

test.serial('after the rotation of a secret that cannot be read, the new one signs alone', async (t) => {
  receiver.behave({ kind: 'answer', status: 200 });
  const webhook = await subscribe(stack, api, { url: receiver.url });
  await stack.db.run('UPDATE webhook_subscriptions SET secret = ? WHERE id = ?', [
    appKeysOf(randomBytes(32)).seal('webhook secret', 'whsec_of-another-key'),
    webhook.id,
  ]);
  const rotated = await api.post(`/webhooks/${webhook.id}/rotate-secret`, {
    license_key: webhook.licenseKey,
  });

  await createShipment(stack, api);

  const [delivery] = await settledDeliveries(api, webhook);
  t.is(rotated.status, 200, rotated.text);
  t.is(delivery?.status, 'succeeded', JSON.stringify(delivery?.attempts));
  const sent = receiver.requests.at(-1)!;
  assertSigned(t, sent, rotated.body.data.secret);
  t.is(sent.headers['x-service-signature']?.split(',').length, 2);
});
