/**
 * Lists of shipments are read along a key, whatever they are limited to: the license, the status and the type lead it,
 * the sort follows, and a list of several is merged. Where a list is sorted by something else than the creation, the
 * time of creation is in its key too, so that a limit by it is checked there. The account's own key, which holds
 * everything that limits a list, serves whole accounts and pages far from either end.
 */
const kind = 'license_id, state, status_code, service_type';

export const statements: readonly string[] = [
  `ALTER TABLE shipments
  DROP KEY shipments_created,
  DROP KEY shipments_updated,
  DROP KEY shipments_tracking,
  DROP KEY shipments_status,
  DROP KEY shipments_ready,
  DROP KEY shipments_collected,
  ADD KEY shipments_created (account_id, state, created_at, id, license_id, status_code, service_type),
  ADD KEY shipments_kind_created (${kind}, created_at, id),
  ADD KEY shipments_kind_updated (${kind}, updated_at, id, created_at),
  ADD KEY shipments_kind_tracking (${kind}, tracking_code, id, created_at),
  ADD KEY shipments_kind_ready (${kind}, ready_at, id, created_at),
  ADD KEY shipments_kind_collected (${kind}, collected_at, id, created_at)`,
];
