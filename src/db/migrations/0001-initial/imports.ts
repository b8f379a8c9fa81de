import { STAMPS, TABLE, TURN, UUID } from '../parts.js';

/**
 * Orders from files before they are booked. `packed_table`: the file's table (gzip of JSON), until a person's data of it
 * are erased. `columns`: the field of each column. `corrects`: the batch whose failed items the rows are. `preset`: values
 * for what the file does not say. `round`: how often orders were booked. A row's `item` is the body of a
 * creation as the file says it, `edits` what people typed over it, `faults` what is wrong with both. `round` of a row: the
 * booking that took it, `batch_uuid` the batch of that booking.
 */
export const imports: readonly string[] = [
  `CREATE TABLE import_drafts (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid ${UUID} NOT NULL UNIQUE,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  source VARCHAR(64) NOT NULL,
  packed_table MEDIUMBLOB NULL,
  columns JSON NOT NULL,
  corrects ${UUID} NULL,
  preset JSON NULL,
  round INT UNSIGNED NOT NULL DEFAULT 0,
  ${TURN},
  ${STAMPS},
  KEY import_drafts_account (account_id, id),
  KEY import_drafts_created (created_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `CREATE TABLE import_rows (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  draft_id BIGINT UNSIGNED NOT NULL,
  line INT UNSIGNED NOT NULL,
  item JSON NOT NULL,
  edits JSON NOT NULL,
  faults JSON NOT NULL,
  state ENUM('ready','faulty','held','booked') NOT NULL,
  hold ENUM('cancelled','abroad','shipped','chosen') NULL,
  is_taken BOOLEAN NOT NULL DEFAULT FALSE,
  shipment_uuid ${UUID} NULL,
  round INT UNSIGNED NULL,
  batch_uuid ${UUID} NULL,
  order_id VARCHAR(191) NOT NULL,
  phone_key VARCHAR(64) NOT NULL,
  email VARCHAR(255) NOT NULL,
  ${STAMPS},
  UNIQUE KEY import_rows_line (draft_id, line),
  KEY import_rows_state (draft_id, state, id),
  KEY import_rows_phone (phone_key),
  KEY import_rows_order (order_id),
  FOREIGN KEY (draft_id) REFERENCES import_drafts (id) ON DELETE CASCADE
) ${TABLE}`,
  `CREATE TABLE import_mappings (
  account_id BIGINT UNSIGNED NOT NULL,
  header_hash BINARY(32) NOT NULL,
  columns JSON NOT NULL,
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  PRIMARY KEY (account_id, header_hash),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
];
