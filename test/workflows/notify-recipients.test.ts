import { randomUUID } from 'node:crypto';
import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import type { MailRound } from '../../src/contracts/wake.js';
import { saveNotificationSettings } from '../../src/db/queries/mails/notification-settings.js';
import { insertTemplate } from '../../src/db/queries/mails/notification-templates.js';
import { SHIPMENT_EVENTS } from '../../src/domain/events.js';
import { createStoppedMails } from '../../src/services/mails/stopped-mails.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { insertTestAccount, type TestLicense } from '../support/factories.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { mailRow, makeMailsDue, notifyingLicense, recordMail, wakeMail } from '../support/notifications.js';
import { startStack, type TestStack } from '../support/stack.js';

let mail: MailServer;
let stack: TestStack;

test.before(async () => {
  mail = await startMailServer();
  stack = await startStack({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Parcels <no-reply@parcels.test>' },
  });
  await stack.startWorkers();
});
test.after.always(async () => {
  await stack?.close();
  await mail?.close();
});
test.beforeEach(() => {
  mail.mode('accept');
  mail.mails.length = 0;
});

test.serial('a due mail is sent to the recipient, from the merchant, under the event’s id', async (t) => {
  const license = await notifyingLicense(stack, { fromName: 'Acme', replyTo: 'help@acme.test' });
  const eventId = await recordMail(stack.db, license);

  const { handle, result } = await run(license);

  t.deepEqual(result, { sent: 1, failed: 0, skipped: 0 });
  const [sent] = mail.mails;
  t.is(mail.mails.length, 1);
  t.is(sent?.messageId, `<${eventId}@parcels.test>`);
  t.is(sent?.from?.text, '"Acme" <no-reply@parcels.test>');
  t.deepEqual(sent?.replyTo?.value, [{ address: 'help@acme.test', name: '' }]);
  t.deepEqual([sent?.to].flat()[0]?.text, 'dana@example.test');
  t.regex(sent?.subject ?? '', /^Your parcel from .* is being prepared/);
  t.true(String(sent?.html).includes('/track/'));
  t.true((sent?.text ?? '').includes('/track/'));
  const row = await mailRow(stack.db, eventId);
  t.like(row, { status: 'sent', attempts: 1, recipient: 'dana@example.test', next_attempt_at: null });
  t.is(row.subject, sent?.subject);
  await keepHistory(handle, 'notifyRecipients', 'sent');
});

test.serial('the license’s own template is used, and the log names it', async (t) => {
  const license = await notifyingLicense(stack);
  const template = {
    event: 'shipment.delivered',
    locale: 'en',
    subject: 'Enjoy, {{ recipient.name }}',
    body: 'Bye',
  } as const;
  const id = await insertTemplate(stack.db, { ...license, template });
  const eventId = await recordMail(stack.db, license, { event: 'shipment.delivered' });

  await run(license);

  t.is(mail.mails[0]?.subject, 'Enjoy, Dana');
  t.is((await mailRow(stack.db, eventId)).template_id, id);
});

test.serial(
  'notifyRecipients: a mail is skipped, with the reason, when the shipment has no e-mail address',
  async (t) => {
    const license = await notifyingLicense(stack);
    const nobody = await recordMail(stack.db, license, { email: null });

    const { handle, result } = await run(license);

    t.deepEqual(result, { sent: 0, failed: 0, skipped: 1 });
    t.is(mail.mails.length, 0);
    t.is((await mailRow(stack.db, nobody)).last_error, 'The shipment has no e-mail address.');
    await keepHistory(handle, 'notifyRecipients', 'skipped');
  },
);

test.serial('a change with its own mail is mailed once, by the mails that there are', async (t) => {
  const license = await notifyingLicense(stack);
  const change = { event: 'shipment.status_changed', data: { status: 'delivered' } } as const;
  // Recorded before the license chose the other event.
  const alone = await recordMail(stack.db, license, change);
  const told = await recordMail(stack.db, license, change);
  const shipmentId = Number((await mailRow(stack.db, told)).shipment_id);
  const telling = await recordMail(stack.db, license, { event: 'shipment.delivered', shipmentId });

  const { result } = await run(license);

  t.deepEqual(result, { sent: 2, failed: 0, skipped: 1 });
  t.is((await mailRow(stack.db, alone)).status, 'sent');
  t.is((await mailRow(stack.db, telling)).status, 'sent');
  t.is((await mailRow(stack.db, told)).last_error, 'The mail of shipment.delivered tells it.');
});

test.serial('notifications that were turned off meanwhile are not sent', async (t) => {
  const license = await notifyingLicense(stack);
  const eventId = await recordMail(stack.db, license);
  await saveNotificationSettings(stack.db, {
    ...license,
    settings: { enabled: false, events: [], fromName: null, replyTo: null },
  });

  await run(license);

  t.is((await mailRow(stack.db, eventId)).status, 'skipped');
});

test.serial(
  'a recipient who stopped a merchant’s mails gets none; others do, and so do other accounts’',
  async (t) => {
    const license = await notifyingLicense(stack);
    const { accountId: otherId } = await insertTestAccount(stack.db);
    const address = `${randomUUID()}@example.test`;
    const stopped = createStoppedMails(stack);
    await stopped.stop({ accountId: license.accountId, address: address.toUpperCase() });
    await stopped.stop({ accountId: otherId, address: 'dana@example.test' });
    const unwanted = await recordMail(stack.db, license, { email: address });
    const wanted = await recordMail(stack.db, license);

    const { result } = await run(license);

    t.deepEqual(result, { sent: 1, failed: 0, skipped: 1 });
    t.like(await mailRow(stack.db, unwanted), {
      status: 'skipped',
      last_error: 'The recipient has stopped the mails of this merchant.',
      recipient: null,
    });
    t.is((await mailRow(stack.db, wanted)).status, 'sent');
    const [sent] = mail.mails;
    const url = /<a href="([^"]+\/mails)"/.exec(String(sent?.html))?.[1] ?? '';
    t.regex(url, /\/track\/\w{10}\/mails$/);
    t.true((sent?.text ?? '').includes(`Stop these e-mails: ${url}`));
    t.deepEqual(sent?.headers.get('list'), {
      unsubscribe: { url },
      'unsubscribe-post': { name: 'List-Unsubscribe=One-Click' },
    });
  },
);

test.serial('mails beyond those of the day are skipped, with the reason; each counts once', async (t) => {
  const license = await notifyingLicense(stack);
  const settings = async () => {
    const sql =
      'SELECT mails_on = UTC_DATE() AS is_today, mails_begun, mails_dropped, updated_at FROM notification_settings';
    return (await stack.db.select(`${sql} WHERE license_id = ?`, [license.licenseId]))[0];
  };
  const begun = (day: string, count: number) =>
    stack.db.run(
      `UPDATE notification_settings SET mails_on = ${day}, mails_begun = ?, updated_at = '2026-01-01' WHERE license_id = ?`,
      [count, license.licenseId],
    );
  await begun('UTC_DATE()', 9_998);
  mail.mode('defer', 1);
  const deferred = await recordMail(stack.db, license);
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, deferred)).last_error !== null, 'the first try');
  const nobody = await recordMail(stack.db, license, { email: null });
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, nobody)).status === 'skipped', 'what is not sent');
  const last = await recordMail(stack.db, license);
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, last)).status === 'sent', 'the last of the day');

  const beyond = await recordMail(stack.db, license);
  await makeMailsDue(stack.db, license);
  const { result } = await run(license);
  const after = await settings();
  await begun('UTC_DATE() - INTERVAL 1 DAY', 10_000);
  await recordMail(stack.db, license);
  const { result: nextDay } = await run(license);

  t.deepEqual(result, { sent: 2, failed: 0, skipped: 2 });
  t.like(await mailRow(stack.db, beyond), {
    status: 'skipped',
    last_error: 'The license may cause 10000 mails a day (UTC), and has caused as many.',
  });
  t.is((await mailRow(stack.db, deferred)).status, 'sent');
  t.like(after, {
    is_today: 1,
    mails_begun: 10_000,
    mails_dropped: 1,
    updated_at: '2026-01-01 00:00:00.000000',
  });
  t.deepEqual(nextDay, { sent: 1, failed: 0, skipped: 0 });
  t.like(await settings(), { is_today: 1, mails_begun: 1 });
});

test.serial('a delayed mail tells the status that was, not the one that is', async (t) => {
  const license = await notifyingLicense(stack, { events: ['shipment.status_changed'] });
  await recordMail(stack.db, license, { event: 'shipment.status_changed', data: { status: 'in_transit' } });

  await run(license);

  t.regex(mail.mails[0]?.subject ?? '', / is on its way /);
});

test.serial(
  'a template of before there was a bound makes no mail of megabytes; others are sent',
  async (t) => {
    const license = await notifyingLicense(stack);
    const template = {
      event: 'shipment.delivered',
      locale: 'en',
      subject: 'Enjoy',
      body: '{{merchant.name}}'.repeat(3855),
    } as const;
    await stack.db.run('UPDATE accounts SET company_name = ? WHERE id = ?', [
      '"'.repeat(120),
      license.accountId,
    ]);
    t.teardown(() => stack.db.run("UPDATE accounts SET company_name = '' WHERE id = ?", [license.accountId]));
    await insertTemplate(stack.db, { ...license, template });
    const long = await recordMail(stack.db, license, { event: 'shipment.delivered' });
    const other = await recordMail(stack.db, license);

    const { result } = await run(license);

    t.deepEqual(result, { sent: 1, failed: 1, skipped: 0 });
    t.like(await mailRow(stack.db, long), {
      status: 'failed',
      last_error: 'The template makes a mail of more than 524288 characters.',
    });
    t.is((await mailRow(stack.db, other)).status, 'sent');
  },
);

test.serial('a refused address ends as failed at once; others are sent', async (t) => {
  const license = await notifyingLicense(stack);
  mail.mode('refuse', 1);
  const first = await recordMail(stack.db, license);
  await run(license);
  const broken = await recordMail(stack.db, license, { email: 'no address, at all' });
  const good = await recordMail(stack.db, license);

  const { handle, result } = await run(license);

  t.deepEqual(result, { sent: 1, failed: 1, skipped: 0 });
  t.is((await mailRow(stack.db, first)).status, 'failed');
  t.is((await mailRow(stack.db, broken)).status, 'failed');
  t.is((await mailRow(stack.db, good)).status, 'sent');
  await keepHistory(handle, 'notifyRecipients', 'failed');
});

test.serial('a deferred mail waits, a wake does not hurry it, and it is sent when due', async (t) => {
  const license = await notifyingLicense(stack);
  mail.mode('defer', 1);
  const eventId = await recordMail(stack.db, license);
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, eventId)).last_error !== null, 'the first try');
  const waiting = await mailRow(stack.db, eventId);
  const other = await recordMail(stack.db, license);
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, other)).status === 'sent', 'the other mail');
  const still = await mailRow(stack.db, eventId);

  await makeMailsDue(stack.db, license);
  const { handle, result } = await run(license);

  t.like(waiting, {
    status: 'pending',
    attempts: 1,
    last_error: 'The mail server did not accept the mail (451).',
  });
  t.like(still, { status: 'pending', attempts: 1 });
  t.deepEqual(result, { sent: 2, failed: 0, skipped: 0 });
  t.like(await mailRow(stack.db, eventId), { status: 'sent', attempts: 2 });
  await keepHistory(handle, 'notifyRecipients', 'deferred');
});

test.serial('the twelfth try is the last', async (t) => {
  const license = await notifyingLicense(stack);
  mail.mode('defer');
  const eventId = await recordMail(stack.db, license);
  await stack.db.run('UPDATE notification_logs SET attempts = 11 WHERE event_id = ?', [eventId]);

  const { result } = await run(license);

  t.deepEqual(result, { sent: 0, failed: 1, skipped: 0 });
  t.like(await mailRow(stack.db, eventId), { status: 'failed', attempts: 12, next_attempt_at: null });
});

test.serial('an outage costs only a few mails a try', async (t) => {
  const license = await notifyingLicense(stack);
  mail.mode('defer');
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) ids.push(await recordMail(stack.db, license));
  await wakeMail(stack, license);
  const tried = await eventually(async () => {
    const rows = await Promise.all(ids.map((id) => mailRow(stack.db, id)));
    return rows.filter((row) => row.last_error !== null).length >= 3 && rows;
  }, 'the first tries');
  await eventually(async () => isWaiting(license), 'the pause');
  const total = tried.reduce((sum, row) => sum + Number(row.attempts), 0);

  mail.mode('accept');
  await makeMailsDue(stack.db, license);
  const { result } = await run(license);

  t.true(total <= 13, `${total} tries`);
  t.is(result.sent, 20);
  t.is(new Set(mail.mails.map((one) => one.messageId)).size, 20);
});

test.serial('a shipment writes to its recipient when it is created and when it arrives', async (t) => {
  const api = new ApiClient(await stack.startApi(), stack.account);
  const { run: key } = stack.account.licenseKeys;
  const put = await fetch(`${api.url}/api/v2/notifications/settings`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'x-client-id': stack.account.clientId,
      'x-client-secret': stack.account.clientSecret,
    },
    body: JSON.stringify({ license_key: key, enabled: true, events: SHIPMENT_EVENTS }),
  });

  const body = shipmentBody(stack.account, 'run', { ship_data: { contact_mail: 'noa@example.test' } });
  const created = await api.create(body);
  const { uuid, tracking_code: code } = created.body.data;
  await eventually(() => mail.mails.length === 1, 'the first mail');
  await stack.sandbox.advance(code, 'delivered');
  await api.get(`/shipments/${uuid}/status?refresh=true`);
  await eventually(() => mail.mails.length === 2, 'the second mail');

  t.is(put.status, 200);
  t.is(created.status, 201);
  t.true(String(mail.mails[0]?.html).includes(code));
  t.regex(mail.mails[1]?.subject ?? '', / was delivered /);
  const log = await eventually(async () => {
    const { body: page } = await api.get(`/notifications/logs?license_key=${key}&filter[shipment]=${uuid}`);
    return page.data.every((one: { status: string }) => one.status !== 'pending') && page.data;
  }, 'the log');
  t.deepEqual(log.map((one: { event: string; status: string }) => [one.event, one.status]).sort(), [
    ['shipment.created', 'sent'],
    ['shipment.delivered', 'sent'],
    ['shipment.status_changed', 'skipped'],
  ]);
  t.is(log[0].recipient ?? log[1].recipient, 'noa@example.test');
});

/** Wakes the license's workflow and waits for its end. */
async function run(license: TestLicense) {
  await wakeMail(stack, license);
  const handle = stack.temporal.workflow.getHandle(workflowIds.notifyRecipients(license.licenseId));
  return { handle, result: (await handle.result()) as MailRound['counts'] };
}

/** Whether the license's workflow sleeps until something is due. */
async function isWaiting(license: TestLicense): Promise<boolean> {
  const handle = stack.temporal.workflow.getHandle(workflowIds.notifyRecipients(license.licenseId));
  const { events } = await handle.fetchHistory();
  return (events ?? []).some((event) => event.timerStartedEventAttributes != null);
}
