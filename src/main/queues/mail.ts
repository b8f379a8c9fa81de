import { createNotificationActivities } from '../../../activities/index.js';
import { taskQueues } from '../../contracts/ids.js';
import { createLimit } from '../../lib/limited.js';
import { createMailer } from '../../outbound/mail.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

const MAX_LICENSES_AT_ONCE = 20;
/** Connections to the mail server, of which many allow one client only so many. */
const MAX_MAILS_AT_ONCE = 20;

/** The queue of mails to recipients. */
export function mailQueue(parts: QueueParts): Queue {
  const { db, config } = parts;
  const { smtpUrl, mailFrom, mailTimeoutMs, mailsPerDay, baseUrl } = config;
  const mailer = createMailer({
    smtpUrl,
    from: mailFrom,
    silenceTimeoutMs: mailTimeoutMs,
    totalTimeoutMs: mailTimeoutMs,
  });
  const messageIdDomain = mailFrom.split('@').at(-1)?.replace(/>.*$/, '').trim() ?? 'localhost';
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.mail,
      maxConcurrentActivityTaskExecutions: MAX_LICENSES_AT_ONCE,
      activities: createNotificationActivities({
        db,
        mailer,
        mailTimeoutMs,
        mailsPerDay,
        baseUrl,
        messageIdDomain,
        limit: createLimit(MAX_MAILS_AT_ONCE),
      }),
    },
    close: async () => mailer.close(),
  };
}
