/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // API v1 finds orders by their number too.
  'ALTER TABLE orders ADD KEY orders_number (license_id, number, id)',
];
