/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // By these the upkeep finds what is old without reading what is young.
  'ALTER TABLE batches ADD KEY batches_created (created_at)',
  'ALTER TABLE notification_logs ADD KEY notification_logs_created (created_at)',
  'ALTER TABLE carrier_attempts ADD KEY carrier_attempts_sent (sent_at)',
  'ALTER TABLE label_sets ADD KEY label_sets_created (created_at)',
];
