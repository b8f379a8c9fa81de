/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

export const statements: readonly string[] = [
  // `in_flight_license_id` is the license while the export is pending or processing, then null: one at a time.
  `CREATE TABLE exports (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  in_flight_license_id BIGINT UNSIGNED NULL,
  type VARCHAR(32) NOT NULL DEFAULT 'shipments',
  platform VARCHAR(32) NOT NULL DEFAULT 'api_v2',
  format ENUM('csv','xlsx') NOT NULL,
  filter JSON NOT NULL,
  status ENUM('pending','processing','completed','failed') NOT NULL DEFAULT 'pending',
  row_count INT UNSIGNED NULL,
  filename VARCHAR(255) NULL,
  error VARCHAR(500) NULL,
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  UNIQUE KEY exports_in_flight (in_flight_license_id),
  KEY exports_list (account_id, license_id, id),
  KEY exports_stale (status, created_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  // Rows written so far, deflated. A part begins where the one before it ends, and is never written twice.
  `CREATE TABLE export_parts (
  export_id BIGINT UNSIGNED NOT NULL,
  number INT UNSIGNED NOT NULL,
  row_count INT UNSIGNED NOT NULL,
  last_created_at DATETIME(6) NOT NULL,
  last_shipment_id BIGINT UNSIGNED NOT NULL,
  raw_bytes INT UNSIGNED NOT NULL,
  content MEDIUMBLOB NOT NULL,
  PRIMARY KEY (export_id, number),
  FOREIGN KEY (export_id) REFERENCES exports (id)
) ${TABLE}`,
  // The mails that an export is sent in, decided once.
  `CREATE TABLE export_mails (
  export_id BIGINT UNSIGNED NOT NULL,
  number INT UNSIGNED NOT NULL,
  first_part INT UNSIGNED NOT NULL,
  last_part INT UNSIGNED NOT NULL,
  mailed_at DATETIME(6) NULL,
  PRIMARY KEY (export_id, number),
  FOREIGN KEY (export_id) REFERENCES exports (id)
) ${TABLE}`,
];
