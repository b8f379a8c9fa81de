import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createNotificationActivities } from '../../activities/notification-mails.js';
import { workflowIds } from '../../src/contracts/ids.js';
import type { Database, SqlValue } from '../../src/db/database.js';
import { toDatabaseError } from '../../src/db/errors.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { createMailer } from '../../src/outbound/mail.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import type { TestLicense } from '../support/factories.js';
import { type MailMode, startMailServer } from '../support/mail-server.js';
import { mailRow, makeMailsDue, notifyingLicense, recordMail, wakeMail } from '../support/notifications.js';
import { startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const MAILS_EACH = 3;
const FAULTS: readonly MailMode[] = ['accept', 'refuse', 'defer', 'drop_before', 'drop_after_accept', 'hang'];

/** How long a silent mail server is waited for: far more than a busy machine needs for a mail. */
const SILENCE_MS = '10000';

/** A stack whose mails go to a mail server of the test's own. */
async function startMailStack(t: Owner) {
  const mail = await startMailServer();
  t.teardown(() => mail.close());
  const stack = await startStack({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@parcels.test', MAIL_TIMEOUT_MS: SILENCE_MS },
  });
  t.teardown(() => stack.close());
  return { mail, stack, license: await notifyingLicense(stack) };
}

test('whatever the mail server does, each mail ends, and only a lost reply makes a second copy', async (t) => {
  const { mail, stack, license } = await startMailStack(t);
  await stack.startWorkers();
  const expected = new Map<string, MailMode>();

  for (const mode of FAULTS) {
    mail.mode(mode);
    const before = mail.attempts();
    for (let n = 0; n < MAILS_EACH; n += 1) expected.set(await recordMail(stack.db, license), mode);
    await wakeMail(stack, license);
    await eventually(() => mail.attempts() >= before + MAILS_EACH, `${mode} was met`);
    await eventually(async () => (await busy(stack, license)) === 0, `${mode} was recorded`);
  }
  mail.mode('accept');
  await finish(stack, license);

  for (const [eventId, mode] of expected) {
    const row = await mailRow(stack.db, eventId);
    const copies = mail.mails.filter((one) => one.messageId === `<${eventId}@parcels.test>`).length;
    const wanted = { refuse: 0, drop_after_accept: 2 }[String(mode)] ?? 1;
    t.is(row.status, mode === 'refuse' ? 'failed' : 'sent', mode);
    t.is(copies, wanted, mode);
    t.is(Number(row.attempts), mode === 'accept' || mode === 'refuse' ? 1 : 2, mode);
  }
});

test('a mail server that is away for a while loses nothing and gets nothing twice', async (t) => {
  const { mail, stack, license } = await startMailStack(t);
  await stack.startWorkers();
  const port = Number(new URL(mail.url).port);
  await mail.close();
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push(await recordMail(stack.db, license));
  await wakeMail(stack, license);
  await eventually(async () => (await mailRow(stack.db, ids[0] ?? '')).last_error !== null, 'a failed try');

  const back = await startMailServer(port);
  t.teardown(() => back.close());
  await finish(stack, license);

  t.deepEqual(back.mails.map((one) => one.messageId).sort(), ids.map((id) => `<${id}@parcels.test>`).sort());
});

test('a worker killed while the mail server has a mail: another one sends it', async (t) => {
  const { mail, stack, license } = await startMailStack(t);
  mail.mode('hang', 1);
  const worker = await startWorkerProcess(t, stack);
  const eventId = await recordMail(stack.db, license);
  await wakeMail(stack, license);
  await eventually(() => mail.attempts() === 1, 'the mail server has it');

  await worker.kill9();
  const left = await mailRow(stack.db, eventId);
  await startWorkerProcess(t, stack);
  await eventually(async () => (await mailRow(stack.db, eventId)).status === 'sent', 'the mail');

  t.truthy(left.sending_since);
  t.is(left.status, 'pending');
  t.is(mail.mails.length, 1);
  t.like(await mailRow(stack.db, eventId), { attempts: 2, sending_since: null });
  t.regex(String((await mailRow(stack.db, eventId)).last_error), /cut off when its process ended/);
});

test('MySQL that goes away as a mail is handed over makes no second copy', async (t) => {
  const { mail, stack, license } = await startMailStack(t);
  const eventId = await recordMail(stack.db, license);
  let losses = 0;
  const losing: Database = Object.create(stack.db, {
    run: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        if (!sql.includes("status = 'sent'") || losses === 2) return await stack.db.run(sql, params);
        losses += 1;
        throw toDatabaseError({ code: 'ECONNRESET' }, sql);
      },
    },
  });
  const { sendDueMails } = createNotificationActivities({
    db: losing,
    mailer: createMailer({ smtpUrl: mail.url, from: 'no-reply@parcels.test' }),
    mailTimeoutMs: 10_000,
    mailsPerDay: 10,
    baseUrl: 'https://parcels.test',
    appKeys: stack.config.appKeys,
    slots: new Slots({ total: 1 }),
  });

  await new MockActivityEnvironment().run(sendDueMails, { licenseId: license.licenseId });

  t.is(losses, 2);
  t.is((await mailRow(stack.db, eventId)).status, 'sent');
  t.is(mail.attempts(), 1);
});

/** Mails of the license that are being sent now, or were never tried. */
async function busy(stack: TestStack, license: TestLicense): Promise<number> {
  const [row] = await stack.db.select(
    `SELECT COUNT(*) AS n FROM notification_logs
     WHERE license_id = ? AND status = 'pending' AND (sending_since IS NOT NULL OR attempts = 0)`,
    [license.licenseId],
  );
  return Number(row?.n);
}

/** Lets the waiting time of every mail pass until none is pending. */
async function finish(stack: TestStack, license: TestLicense): Promise<void> {
  await eventually(async () => {
    if ((await busy(stack, license)) === 0) await makeMailsDue(stack.db, license);
    await wakeMail(stack, license);
    const [row] = await stack.db.select(
      `SELECT COUNT(*) AS n FROM notification_logs WHERE license_id = ? AND status = 'pending'`,
      [license.licenseId],
    );
    return Number(row?.n) === 0;
  }, 'the end of every mail');
  await stack.temporal.workflow.getHandle(workflowIds.notifyRecipients(license.licenseId)).result();
}
