import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { MailRound, ParcelMet } from '../src/contracts/wake.js';
import { type Database, isUnavailable } from '../src/db/database.js';
import { MAILS, nextDueInMs } from '../src/db/queries/leased-queue.js';
import { getMailData, type MailDataRecord } from '../src/db/queries/mails/mail-data.js';
import {
  type ClaimedMail,
  claimMail,
  countMail,
  finishMail,
  hasMail,
  listDueMails,
  type MailOutcome,
  noteMailContent,
} from '../src/db/queries/mails/notification-queue.js';
import { getNotificationSettings } from '../src/db/queries/mails/notification-settings.js';
import { listTemplates, type TemplateRecord } from '../src/db/queries/mails/notification-templates.js';
import { chooseTemplate, renderMail } from '../src/documents/mails/recipient-mail.js';
import { isShipmentEvent } from '../src/domain/events.js';
import { TemplateError } from '../src/domain/mail-template/parse.js';
import { coveringEvent, type MailData, nextMailDelaySeconds } from '../src/domain/notifications.js';
import { isStatusCode } from '../src/domain/statuses.js';
import { mailsUrl } from '../src/domain/tracking-url.js';
import type { Slots } from '../src/lib/limits/slots.js';
import { mailsDropped } from '../src/lib/metrics.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import { MailError, type OutgoingMail } from '../src/outbound/mail.js';
import type { App } from '../src/services/app.js';
import { createStoppedMails } from '../src/services/mails/stopped-mails.js';
import { withHeartbeat } from './heartbeat.js';

const MAILS_OF_LICENSE = 10;
const ROUND_MS = 15_000;
const OUTAGE_AFTER_MAILS = 3;
const OUTAGE_MS = 30_000;
const LEASE_MARGIN_SECONDS = 5;

type NotificationConfig = App<'mailTimeoutMs' | 'mailsPerDay' | 'baseUrl' | 'appKeys'>['config'];

interface NotificationApp extends Pick<App, 'db' | 'mailer'>, NotificationConfig {
  /** Limits the process's parallel mails of all licenses. */
  slots: Slots;
}

interface SendingApp extends NotificationApp {
  stopped: ReturnType<typeof createStoppedMails>;
}

export function createNotificationActivities(parts: NotificationApp) {
  const app = { ...parts, stopped: createStoppedMails({ db: parts.db, config: parts }) };
  return {
    /**
     * Sends a license's due mails, each marked in MySQL first: a dead process's mail is retried when its lease
     * ends. A mail server's answer is recorded and never fails the round.
     */
    async sendDueMails({ licenseId }: { licenseId: number }): Promise<MailRound> {
      return await withHeartbeat(() => sendRound(app, licenseId));
    },
  };
}

async function sendRound(app: SendingApp, licenseId: number): Promise<MailRound> {
  const due = await listDueMails(app.db, { licenseId, limit: 100 });
  const counts = { sent: 0, failed: 0, skipped: 0 };
  const endAt = Date.now() + ROUND_MS;
  const stopped = cancellationSignal();
  let missedInARow = 0;
  let parcel: ParcelMet = null;
  const slot = async () => {
    while (missedInARow < OUTAGE_AFTER_MAILS && Date.now() < endAt && !stopped.aborted) {
      const id = due.shift();
      if (id === undefined) return;
      const tried = await app.slots.use(() => trySend(app, licenseId, id));
      if (tried === null) continue;
      const { outcome, shipmentUuid } = tried;
      parcel = parcel === null || parcel === shipmentUuid ? shipmentUuid : 'several';
      if (outcome.kind !== 'retry') counts[outcome.kind] += 1;
      missedInARow = outcome.kind === 'retry' ? missedInARow + 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: MAILS_OF_LICENSE }, slot));
  const dueInMs = await nextDueInMs(app.db, MAILS, licenseId);
  const isOutage = missedInARow >= OUTAGE_AFTER_MAILS;
  return {
    counts,
    nextDueInMs: isOutage && dueInMs !== null ? Math.max(dueInMs, OUTAGE_MS) : dueInMs,
    parcel,
  };
}

/** Null when another process has claimed the mail. */
async function trySend(
  app: SendingApp,
  licenseId: number,
  id: number,
): Promise<{ outcome: MailOutcome; shipmentUuid: string } | null> {
  const leaseSeconds = Math.ceil(app.mailTimeoutMs / 1000) + LEASE_MARGIN_SECONDS;
  const lease = new TimeLimit(leaseSeconds * 1000);
  const mail = await claimMail(app.db, { licenseId, id, leaseSeconds });
  if (mail === null) return null;
  const outcome = await send(app, mail);
  await noteEnd(app.db, mail, outcome, lease);
  return { outcome, shipmentUuid: String(mail.data.id) };
}

/** Retries a short MySQL outage: an unrecorded mail is sent again when its lease ends. */
async function noteEnd(
  db: Database,
  mail: ClaimedMail,
  outcome: MailOutcome,
  lease: TimeLimit,
): Promise<void> {
  for (;;) {
    try {
      return await finishMail(db, mail, outcome);
    } catch (error) {
      if (!isUnavailable(error) || lease.isOver) throw error;
    }
    await delay(250);
  }
}

async function send(app: SendingApp, mail: ClaimedMail): Promise<MailOutcome> {
  const prepared = await prepare(app, mail);
  if ('kind' in prepared) return prepared;
  if (!(await hasPlace(app, mail))) {
    mailsDropped.inc({ reason: 'limit' });
    return skip(`The license may cause ${app.mailsPerDay} mails a day (UTC), and has caused as many.`);
  }
  try {
    await app.mailer.send(prepared);
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const afterSeconds = nextMailDelaySeconds(mail.attempt);
    return error.isFinal || afterSeconds === null
      ? { kind: 'failed', reason: error.message }
      : { kind: 'retry', reason: error.message, afterSeconds };
  }
}

/** Whether the mail is within its license's daily limit. Retries are not counted. */
async function hasPlace({ db, mailsPerDay }: NotificationApp, mail: ClaimedMail): Promise<boolean> {
  return mail.attempt > 1 || (await countMail(db, { licenseId: mail.licenseId, perDay: mailsPerDay }));
}

/** The mail to send, or why there is none. From here on the log shows recipient and subject. */
async function prepare(app: SendingApp, mail: ClaimedMail): Promise<OutgoingMail | MailOutcome> {
  const { accountId, licenseId, shipmentId, event } = mail;
  const scope = { accountId, licenseId };
  const [settings, found] = await Promise.all([
    getNotificationSettings(app.db, scope),
    getMailData(app.db, { ...scope, shipment: { id: shipmentId } }),
  ]);
  if (found === null) return skip('There is no such shipment.');
  if (!isShipmentEvent(event)) return skip('Recipients are not written to on this event.');
  if (!settings.enabled) return skip('Notifications were turned off.');
  if (found.recipientEmail === null) return skip('The shipment has no e-mail address.');
  if (await app.stopped.has({ accountId, address: found.recipientEmail })) {
    mailsDropped.inc({ reason: 'stopped' });
    return skip('The recipient has stopped the mails of this merchant.');
  }
  const mailData = mailDataAt(found.mailData, mail);
  const covering = coveringEvent(event, mailData.shipment.status);
  // The license's settings may have changed since the mail was recorded.
  if (covering !== null && (await hasMail(app.db, { licenseId, shipmentId, event: covering })))
    return skip(`The mail of ${covering} tells it.`);
  const own = await listTemplates(app.db, { ...scope, event });
  return await compose(app, mail, {
    settings,
    found,
    mailData,
    template: chooseTemplate(own, event, found.locale),
  });
}

interface Parts {
  settings: { fromName: string | null; replyTo: string | null };
  found: MailDataRecord;
  mailData: MailData;
  template: Pick<TemplateRecord, 'locale' | 'subject' | 'body'> & { id?: number };
}

async function compose(
  app: NotificationApp,
  mail: ClaimedMail,
  { settings, found, mailData, template }: Parts,
): Promise<OutgoingMail | MailOutcome> {
  const recipient = found.recipientEmail ?? '';
  try {
    const { subject, html, text } = renderMail(template, mailData, app.baseUrl);
    await noteMailContent(app.db, mail, { recipient, templateId: template.id ?? null, subject });
    const replyTo = settings.replyTo ?? mailData.merchant.email;
    return {
      to: recipient,
      fromName: settings.fromName ?? mailData.merchant.name,
      ...(replyTo === '' ? {} : { replyTo }),
      subject,
      html,
      text,
      messageId: mail.eventId,
      unsubscribeUrl: mailsUrl(app.baseUrl, mailData.shipment.shortTrackingCode),
    };
  } catch (error) {
    if (error instanceof TemplateError) return { kind: 'failed', reason: `The template ${error.message}.` };
    throw error;
  }
}

/**
 * The shipment's data at the time of the event: a delayed mail must not report a later status, nor the carrier's words
 * for it.
 */
function mailDataAt(mailData: MailData, { data }: ClaimedMail): MailData {
  const status = String(data.status);
  if (!isStatusCode(status) || status === mailData.shipment.status) return mailData;
  return { ...mailData, shipment: { ...mailData.shipment, status, statusText: '' } };
}

function skip(reason: string): MailOutcome {
  return { kind: 'skipped', reason };
}
