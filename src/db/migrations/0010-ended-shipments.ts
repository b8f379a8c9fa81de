/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // As `isActive` in src/domain/statuses.ts has it: parcels that came back or got lost no longer hold their order.
  `UPDATE shipments SET is_active = FALSE, updated_at = updated_at
   WHERE is_active = TRUE AND state = 'created' AND status_code IN ('cancelled', 'returned', 'lost')`,
];
