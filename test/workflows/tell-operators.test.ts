import { randomUUID } from 'node:crypto';
import test from 'ava';
import { markNeedsAttention } from '../../src/db/queries/creation/recording.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let api: ApiClient;
let hook: Receiver;
let mail: MailServer;

test.before(async () => {
  hook = await startReceiver();
  mail = await startMailServer();
  stack = await startStack({
    env: {
      ALERT_URL: `${hook.url}/services/secret-of-the-hook`,
      ALERT_MAIL: 'operators@example.test',
      SMTP_URL: mail.url,
      TEMPORAL_UI_URL: 'http://temporal.example.test',
    },
  });
  api = new ApiClient(await stack.startApi(), stack.account);
  await stack.startWorkers();
});
test.after.always(async () => {
  await stack?.close();
  await Promise.all([hook.close(), mail.close()]);
});

/** A round of the Schedule. */
async function round() {
  return await stack.temporal.workflow.start('tellOperators', {
    workflowId: `tell-${randomUUID()}`,
    taskQueue: 'shipments',
  });
}

async function loseReply(): Promise<string> {
  await stack.sandboxes.get('getpackage')?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
  const lost = await api.create(shipmentBody(stack.account, 'getpackage'));
  return lost.body.data.uuid;
}

const messages = () => hook.requests.map(({ body }) => JSON.parse(body));

test.serial(
  'operators: hear once of a shipment that waits, by hook and by mail, without personal data',
  async (t) => {
    const uuid = await loseReply();

    const first = await round();
    const sent = await first.result();
    const again = await (await round()).result();

    t.deepEqual([sent, again], [2, 0]);
    const [message, ...others] = messages();
    t.is(others.length, 0);
    t.like(message, { begun: 1, waiting: 1, carriers: { getpackage: 1 } });
    t.is(hook.requests[0]?.path, '/services/secret-of-the-hook');
    t.is(hook.requests[0]?.headers['content-type'], 'application/json');
    t.deepEqual(
      message.shipments.map((one: { uuid: string }) => one.uuid),
      [uuid],
    );
    t.regex(message.text, /^1 shipment has begun to wait for a person: getpackage 1\.$/m);
    t.regex(message.text, /http:\/\/temporal\.example\.test\/namespaces\/test-/);
    t.is(mail.mails.length, 1);
    t.is(mail.mails[0]?.subject, '1 shipment has begun to wait for a person');
    t.regex(mail.mails[0]?.text ?? '', new RegExp(uuid));
    for (const text of [
      hook.requests[0]?.body ?? '',
      mail.mails[0]?.text ?? '',
      String(mail.mails[0]?.html),
    ]) {
      t.notRegex(text, /Dana|0501234567|Dizengoff|order-/);
    }
    await keepHistory(first, 'tellOperators', 'told');
  },
);

test.serial(
  'operators: hear of the next one alone, and of the first again once it waits again',
  async (t) => {
    const [first] = messages();
    const uuid = first.shipments[0].uuid;
    const next = await loseReply();

    await (await round()).result();
    await stack.db.run(`UPDATE shipments SET status_code = 'pending' WHERE uuid = ?`, [uuid]);
    await (await round()).result();
    await markNeedsAttention(stack.db, { uuid, reason: 'again' });
    await (await round()).result();

    const [, second, third, ...others] = messages();
    t.is(others.length, 0);
    t.like(second, { begun: 1, waiting: 2 });
    t.is(second.shipments[0].uuid, next);
    t.like(third, { begun: 1, waiting: 2 });
    t.is(third.shipments[0].uuid, uuid);
  },
);

test.serial(
  'operators: a hook that refuses gets the message later, and the mail is not sent again',
  async (t) => {
    const before = { hook: hook.requests.length, mail: mail.mails.length };
    hook.behave({ kind: 'answer', status: 500 });
    await loseReply();

    const failed = await round();
    await t.throwsAsync(failed.result(), { name: 'WorkflowFailedError' });
    hook.behave({ kind: 'answer', status: 200 });
    const sent = await (await round()).result();

    t.is(sent, 1);
    t.is(mail.mails.length, before.mail + 1);
    t.is(messages().at(-1).begun, 1);
    const { events = [] } = await failed.fetchHistory();
    t.notRegex(JSON.stringify(events), /secret-of-the-hook/);
    await eventually(() => hook.requests.length > before.hook, 'the refused message');
  },
);
