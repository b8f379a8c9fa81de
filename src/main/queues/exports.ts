import { createExportActivities } from '../../../activities/index.js';
import { taskQueues } from '../../contracts/ids.js';
import { createStorage } from '../../documents/storage.js';
import { createMailer } from '../../outbound/mail.js';
import { exportWriterAside } from '../../services/export-aside.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** Each has a thread with a bounded heap, or the file of a mail in memory. */
const AT_ONCE = 3;

/** The queue of exports: rows into a file, the file into a mail. */
export function exportsQueue(parts: QueueParts): Queue {
  const { db, config } = parts;
  const { databaseUrl, storage, baseUrl } = config;
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.exports,
      maxConcurrentActivityTaskExecutions: AT_ONCE,
      activities: createExportActivities({
        db,
        mailer,
        storage: createStorage(storage),
        baseUrl,
        writeFile: exportWriterAside({ databaseUrl, storage, baseUrl }),
      }),
    },
    close: async () => mailer.close(),
  };
}
