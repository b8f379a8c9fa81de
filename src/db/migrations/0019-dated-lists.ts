/**
 * Shipments that were created within a time are found along one key. With the other columns that lists are sorted by
 * behind its own it holds all that such a list is sorted with, so that no row is read for that. Those columns change
 * together with the status, which moves the entry anyway, but for a first label.
 */
export const statements: readonly string[] = [
  `ALTER TABLE shipments
  DROP KEY shipments_kind_created,
  ADD KEY shipments_kind_created (license_id, state, status_code, service_type, created_at, id, updated_at,
    tracking_code, ready_at, collected_at)`,
];
