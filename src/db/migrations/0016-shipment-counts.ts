/**
 * No foreign keys: counts are changed inside the transactions of shipments, which must not wait for the row of an
 * account or a license that somebody edits.
 */
export const statements: readonly string[] = [
  `CREATE TABLE shipment_counts (
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  status_code VARCHAR(32) NOT NULL,
  service_type TINYINT UNSIGNED NOT NULL,
  slot TINYINT UNSIGNED NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, license_id, status_code, service_type, slot)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  // One pass over a key that holds all of it. At READ COMMITTED it takes no lock on a shipment.
  `INSERT INTO shipment_counts (account_id, license_id, status_code, service_type, slot, total)
   SELECT account_id, license_id, status_code, service_type, 0, COUNT(*)
   FROM shipments FORCE INDEX (shipments_created) WHERE state = 'created'
   GROUP BY account_id, license_id, status_code, service_type
   ON DUPLICATE KEY UPDATE total = VALUES(total)`,
];
