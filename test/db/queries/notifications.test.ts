import { randomUUID } from 'node:crypto';
import test from 'ava';
import { MAILS, nextDueInMs } from '../../../src/db/queries/leased-queue.js';
import { insertNotification } from '../../../src/db/queries/mails/notification-logs.js';
import {
  claimMail,
  finishMail,
  listDueMails,
  noteMailContent,
} from '../../../src/db/queries/mails/notification-queue.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../../support/factories.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

/** A license with `count` mails to send. */
async function licenseWithMails(count: number) {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  for (let n = 0; n < count; n += 1) {
    const { id } = await insertTestShipment(db, license);
    await insertNotification(db, {
      accountId,
      licenseId: license.licenseId,
      shipmentId: id,
      event: 'shipment.created',
      eventId: randomUUID(),
      data: { status: 'created' },
    });
  }
  return license;
}

async function rowOf(id: number) {
  const [row] = await database.db.select('SELECT * FROM notification_logs WHERE id = ?', [id]);
  return row;
}

test('of many processes one gets a due mail, and nobody else’s license', async (t) => {
  const { db } = database;
  const { licenseId } = await licenseWithMails(1);
  const other = await licenseWithMails(0);
  const [id = 0] = await listDueMails(db, { licenseId, limit: 10 });

  const foreign = await claimMail(db, { licenseId: other.licenseId, id, leaseSeconds: 60 });
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimMail(db, { licenseId, id, leaseSeconds: 60 })),
  );

  t.is(foreign, null);
  t.is(claims.filter((claim) => claim !== null).length, 1);
  t.deepEqual(await listDueMails(db, { licenseId, limit: 10 }), []);
  const dueInMs = (await nextDueInMs(db, MAILS, licenseId)) ?? 0;
  t.true(dueInMs > 50_000 && dueInMs <= 60_000, `${dueInMs} ms`);
});

test('a try that lost its lease neither ends nor postpones the later one, but a sent mail is sent', async (t) => {
  const { db } = database;
  const { licenseId } = await licenseWithMails(1);
  const [id = 0] = await listDueMails(db, { licenseId, limit: 1 });
  const first = await claimMail(db, { licenseId, id, leaseSeconds: 0 });
  const second = await claimMail(db, { licenseId, id, leaseSeconds: 60 });
  if (first === null || second === null) return t.fail('both were due');

  await finishMail(db, first, { kind: 'retry', reason: 'late', afterSeconds: 0 });
  await finishMail(db, first, { kind: 'failed', reason: 'late' });
  await noteMailContent(db, first, { recipient: 'late@example.test', templateId: null, subject: 'late' });
  const held = await rowOf(id);
  await finishMail(db, first, { kind: 'sent' });
  await finishMail(db, second, { kind: 'retry', reason: 'lost', afterSeconds: 0 });

  t.like(held, { status: 'pending', attempts: 2, recipient: null });
  t.truthy(held?.sending_since);
  t.regex(String(held?.last_error), /cut off when its process ended/);
  t.like(await rowOf(id), { status: 'sent', next_attempt_at: null, sending_since: null });
  t.is(await nextDueInMs(db, MAILS, licenseId), null);
});

test('what is due is found by its index, the longest due first', async (t) => {
  const { db } = database;
  const { licenseId } = await licenseWithMails(3);
  const [first, second] = await listDueMails(db, { licenseId, limit: 3 });
  await db.run('UPDATE notification_logs SET next_attempt_at = NOW(6) - INTERVAL 1 HOUR WHERE id = ?', [
    second ?? 0,
  ]);

  const due = await listDueMails(db, { licenseId, limit: 3 });
  const [plan] = await db.select(
    `EXPLAIN FORMAT=TRADITIONAL SELECT id FROM notification_logs
     WHERE license_id = ? AND status = 'pending' AND next_attempt_at <= NOW(6) ORDER BY next_attempt_at, id LIMIT 3`,
    [licenseId],
  );

  t.deepEqual(due.slice(0, 2), [second, first]);
  t.is(plan?.key, 'notification_logs_due');
});
