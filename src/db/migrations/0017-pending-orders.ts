/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // The order as a creation was given it, as JSON text, until the creation has ended: it can then be run anew.
  'ALTER TABLE shipments ADD COLUMN pending_order MEDIUMTEXT NULL',
];
