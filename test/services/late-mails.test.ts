import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createNotificationActivities } from '../../activities/notification-mails.js';
import { insertTemplate } from '../../src/db/queries/mails/notification-templates.js';
import { Slots } from '../../src/lib/limits/slots.js';
import type { OutgoingMail } from '../../src/outbound/mail.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestShipment, TEST_APP_KEYS } from '../support/factories.js';
import { notifyingLicense, recordMail } from '../support/notifications.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

test('sendDueMails: a mail sent late holds no carrier’s words, neither those of a later status nor English ones', async (t) => {
  const { db } = database;
  const { accountId } = await insertTestAccount(db);
  const license = await notifyingLicense({ db, account: { id: accountId } } as never);
  const { licenseId } = license;
  const template = {
    event: 'shipment.status_changed',
    locale: 'en',
    subject: '{{ order.number }}',
    body: 'Status [{{ shipment.status }}], words [{{ shipment.status_text }}].',
  } as const;
  await insertTemplate(db, { accountId, licenseId, template });
  const { id: shipmentId } = await insertTestShipment(db, license, {
    recipient_email: 'dana@example.test',
    status_code: 'delivered',
    status_description: 'Left with the neighbor',
  });
  const event = 'shipment.status_changed';
  await recordMail(db, license, { event, shipmentId, data: { status: 'in_transit' } });
  await recordMail(db, license, { event, shipmentId, data: { status: 'delivered' } });
  const sent: OutgoingMail[] = [];
  const { sendDueMails } = createNotificationActivities({
    db,
    mailer: { send: async (mail) => void sent.push(mail), close: () => undefined },
    mailTimeoutMs: 1000,
    mailsPerDay: 100,
    baseUrl: 'https://parcels.test',
    appKeys: TEST_APP_KEYS,
    slots: new Slots({ total: 1 }),
  });

  await new MockActivityEnvironment().run(sendDueMails, { licenseId });

  const texts = sent.map(({ text }) => /words \[(.*?)\]/.exec(text)?.[1]).sort();
  t.deepEqual(texts, ['', 'Left with the neighbor']);
});
