/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const STAMPS = `created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)`;

/**
 * Batches and their items. A body is kept as the text that came, not as JSON, which MySQL would reorder. The counts
 * change in the transaction that changes the items.
 */
export const statements: readonly string[] = [
  `CREATE TABLE batches (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL UNIQUE,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  license_key VARCHAR(255) NOT NULL,
  license_named BOOLEAN NOT NULL,
  total INT UNSIGNED NOT NULL,
  pending_count INT UNSIGNED NOT NULL,
  created_count INT UNSIGNED NOT NULL DEFAULT 0,
  failed_count INT UNSIGNED NOT NULL DEFAULT 0,
  payload_bytes INT UNSIGNED NOT NULL,
  cancelled_at DATETIME(6) NULL,
  ${STAMPS},
  KEY batches_account (account_id, id, license_id),
  KEY batches_license (license_id, id),
  KEY batches_open (pending_count, id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `CREATE TABLE batch_items (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  batch_id BIGINT UNSIGNED NOT NULL,
  position INT UNSIGNED NOT NULL,
  status ENUM('pending','created','failed') NOT NULL DEFAULT 'pending',
  shipment_uuid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
  payload MEDIUMTEXT NULL,
  error JSON NULL,
  started_at DATETIME(6) NULL,
  ${STAMPS},
  UNIQUE KEY batch_items_position (batch_id, position),
  KEY batch_items_list (batch_id, id),
  KEY batch_items_status (batch_id, status, id),
  FOREIGN KEY (batch_id) REFERENCES batches (id)
) ${TABLE}`,
];
