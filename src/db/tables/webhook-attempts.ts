import { id, instant, int, table, text } from './table.js';

/** The table `webhook_attempts`. */
export const webhookAttempts = table('webhook_attempts', {
  id: id().auto(),
  deliveryId: id(),
  number: int('INT UNSIGNED'),
  state: text("ENUM('sending','succeeded','failed','unknown')"),
  startedAt: instant(),
  durationMs: int('INT UNSIGNED').null(),
  responseStatus: int('SMALLINT UNSIGNED').null(),
  responseBody: text('TEXT').null(),
  error: text('VARCHAR(500)').null(),
});
