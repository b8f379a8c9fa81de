/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // Mails to recipients that were begun on a day, in UTC.
  `ALTER TABLE notification_settings
  ADD COLUMN mails_on DATE NULL,
  ADD COLUMN mails_begun INT UNSIGNED NOT NULL DEFAULT 0`,
];
