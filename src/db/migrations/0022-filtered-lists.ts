/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // Orders of which a carrier took a shipment, in their order, however many were refused between two of them.
  'ALTER TABLE shipments ADD KEY shipments_accepted (license_id, state, order_id)',
  // Mails of one event in their order, however many there are of others.
  'ALTER TABLE notification_logs ADD KEY notification_logs_of_event (license_id, event, id, status)',
];
