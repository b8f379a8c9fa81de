import { createWebhookActivities } from '../../../activities/index.js';
import { taskQueues } from '../../contracts/ids.js';
import { createGuardedClient } from '../../outbound/guarded-client.js';
import { createMailer } from '../../outbound/mail.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** Subscriptions that one worker sends to at the same time; each has a round of its own. */
const ROUNDS_AT_ONCE = 100;

/** The queue that sends webhooks. */
export function webhooksQueue(parts: QueueParts): Queue {
  const { db, config, wake } = parts;
  const outbound = createGuardedClient({
    allowedRanges: config.webhookAllowCidrs,
    deniedRanges: config.webhookDenyCidrs,
  });
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.webhooks,
      maxConcurrentActivityTaskExecutions: ROUNDS_AT_ONCE,
      activities: createWebhookActivities({
        db,
        wake,
        mailer,
        config,
        outbound,
      }),
    },
    close: async () => mailer.close(),
  };
}
