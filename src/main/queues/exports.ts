import { createExportActivities } from '../../../activities/index.js';
import { taskQueues } from '../../contracts/ids.js';
import { createMailer } from '../../outbound/mail.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** Each may hold the file of a mail in memory. */
const AT_ONCE = 3;

/** The queue of exports: rows into parts, parts into mails. */
export function exportsQueue(parts: QueueParts): Queue {
  const { db, config } = parts;
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.exports,
      maxConcurrentActivityTaskExecutions: AT_ONCE,
      activities: createExportActivities({ db, mailer }),
    },
    close: async () => mailer.close(),
  };
}
