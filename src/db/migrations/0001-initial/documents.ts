import { NOW, STAMPS, TABLE, UUID } from '../parts.js';

/**
 * `label_sets`: what an address `/shipping/label/<uuid>` prints. Equal requests share a row, so that an address stays.
 * `carrier_labels`: labels that a carrier made; the bytes are in the document store, as are those of exports.
 */
export const documents: readonly string[] = [
  `CREATE TABLE label_sets (
  uuid ${UUID} NOT NULL PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  content_hash BINARY(32) NOT NULL,
  shipment_ids JSON NOT NULL,
  label_type VARCHAR(16) NULL,
  start_position TINYINT UNSIGNED NOT NULL DEFAULT 1,
  warehouse_sort ENUM('asc','desc','none') NULL,
  created_at ${NOW},
  UNIQUE KEY label_sets_once (account_id, content_hash),
  KEY label_sets_created (created_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  `CREATE TABLE carrier_labels (
  uuid ${UUID} NOT NULL PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  shipment_id BIGINT UNSIGNED NOT NULL,
  bytes INT UNSIGNED NOT NULL,
  created_at ${NOW},
  UNIQUE KEY carrier_labels_shipment (shipment_id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (shipment_id) REFERENCES shipments (id)
) ${TABLE}`,
  // `license_id` is null for an export over all licenses of the account. `in_flight_place` names the
  // license or the account while the export is pending or processing, then null: one at a time for each.
  // `file_uuid` names the file in the store and in its link. `file_expires_at`: when the file is deleted; null while it
  // has no end date, and once it is deleted. `attempts` and what follows it are about the step under way: the writing,
  // then the mail.
  `CREATE TABLE exports (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NULL,
  in_flight_place VARCHAR(32) NULL,
  type VARCHAR(32) NOT NULL DEFAULT 'shipments',
  platform VARCHAR(32) NOT NULL DEFAULT 'api_v2',
  format ENUM('csv','xlsx') NOT NULL,
  filter JSON NOT NULL,
  status ENUM('pending','processing','completed','failed') NOT NULL DEFAULT 'pending',
  row_count INT UNSIGNED NULL,
  filename VARCHAR(255) NULL,
  file_uuid ${UUID} NULL,
  file_expires_at DATETIME(6) NULL,
  mailed_at DATETIME(6) NULL,
  error VARCHAR(500) NULL,
  rows_written INT UNSIGNED NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  last_error VARCHAR(500) NULL,
  next_attempt_at DATETIME(6) NULL,
  ${STAMPS},
  UNIQUE KEY exports_in_flight (in_flight_place),
  KEY exports_list (account_id, license_id, id),
  KEY exports_account (account_id, id),
  KEY exports_stale (status, created_at),
  UNIQUE KEY exports_file (file_uuid),
  KEY exports_file_end (file_expires_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
];
