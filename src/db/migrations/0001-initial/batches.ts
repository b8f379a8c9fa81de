import { STAMPS, TABLE, TURN, UUID } from '../parts.js';

/**
 * Batches and their items. A body is kept as the original text, not as JSON, which MySQL would reorder; `fingerprint` is
 * that of its creation. The counts
 * change in the same transaction as the items.
 */
export const batches: readonly string[] = [
  `CREATE TABLE batches (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid ${UUID} NOT NULL UNIQUE,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  license_key VARCHAR(255) NOT NULL,
  total INT UNSIGNED NOT NULL,
  pending_count INT UNSIGNED NOT NULL,
  created_count INT UNSIGNED NOT NULL DEFAULT 0,
  failed_count INT UNSIGNED NOT NULL DEFAULT 0,
  payload_bytes INT UNSIGNED NOT NULL,
  cancelled_at DATETIME(6) NULL,
  ${TURN},
  ${STAMPS},
  KEY batches_account (account_id, id, license_id),
  KEY batches_day (account_id, created_at, total, payload_bytes),
  KEY batches_license (license_id, id),
  KEY batches_open (pending_count, id),
  KEY batches_created (created_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `CREATE TABLE batch_items (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  batch_id BIGINT UNSIGNED NOT NULL,
  position INT UNSIGNED NOT NULL,
  status ENUM('pending','created','failed') NOT NULL DEFAULT 'pending',
  shipment_uuid ${UUID} NULL,
  payload MEDIUMTEXT NULL,
  fingerprint BINARY(32) NOT NULL,
  error JSON NULL,
  started_at DATETIME(6) NULL,
  ${STAMPS},
  UNIQUE KEY batch_items_position (batch_id, position),
  KEY batch_items_list (batch_id, id),
  KEY batch_items_status (batch_id, status, id),
  FOREIGN KEY (batch_id) REFERENCES batches (id)
) ${TABLE}`,
];
