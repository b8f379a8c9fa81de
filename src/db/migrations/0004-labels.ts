/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const UUID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

/**
 * `label_sets`: what an address `/shipping/label/<uuid>` prints. Equal requests share a row, so that an address stays.
 * `carrier_labels`: labels that a carrier made; the bytes are in the document store.
 */
export const statements: readonly string[] = [
  `CREATE TABLE label_sets (
  uuid ${UUID} PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  content_hash BINARY(32) NOT NULL,
  shipment_ids JSON NOT NULL,
  label_type VARCHAR(16) NULL,
  start_position TINYINT UNSIGNED NOT NULL DEFAULT 1,
  warehouse_sort ENUM('asc','desc','none') NULL,
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  UNIQUE KEY label_sets_once (account_id, content_hash),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  `CREATE TABLE carrier_labels (
  uuid ${UUID} PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  shipment_id BIGINT UNSIGNED NOT NULL,
  bytes INT UNSIGNED NOT NULL,
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  UNIQUE KEY carrier_labels_shipment (shipment_id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (shipment_id) REFERENCES shipments (id)
) ${TABLE}`,
];
