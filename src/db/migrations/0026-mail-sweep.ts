/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // Whose mails are overdue, without a look at each of them.
  `ALTER TABLE notification_logs DROP KEY notification_logs_sweep,
   ADD KEY notification_logs_sweep (status, next_attempt_at, license_id)`,
];
