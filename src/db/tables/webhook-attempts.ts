import { choice, id, instant, int, table, text } from './table.js';

/** The table `webhook_attempts`. */
export const webhookAttempts = table('webhook_attempts', {
  id: id().primary(),
  deliveryId: id(),
  number: int('INT UNSIGNED'),
  state: choice('sending', 'succeeded', 'failed', 'unknown'),
  startedAt: instant(),
  durationMs: int('INT UNSIGNED').null(),
  responseStatus: int('SMALLINT UNSIGNED').null(),
  responseBody: text('TEXT').null(),
  error: text('VARCHAR(500)').null(),
});
