import { NOW, TABLE, UUID } from '../parts.js';

/** Prevents double bookings: the caller's key, and each attempt at the carrier. */
export const creation: readonly string[] = [
  `CREATE TABLE idempotency_keys (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  api VARCHAR(8) NOT NULL,
  key_hash BINARY(32) NOT NULL,
  fingerprint BINARY(32) NOT NULL,
  shipment_uuid ${UUID} NOT NULL,
  response_status SMALLINT UNSIGNED NULL,
  response_body MEDIUMTEXT NULL,
  finished_at DATETIME(6) NULL,
  expires_at DATETIME(6) NOT NULL,
  created_at ${NOW},
  UNIQUE KEY idempotency_keys_once (account_id, api, key_hash),
  KEY idempotency_keys_shipment (shipment_uuid),
  KEY idempotency_keys_expiry (expires_at)
) ${TABLE}`,
  // `account_identity`: keyed hash of the carrier account asked. A look-up in another account proves nothing.
  `CREATE TABLE carrier_attempts (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  shipment_uuid ${UUID} NOT NULL,
  operation VARCHAR(16) NOT NULL,
  number INT UNSIGNED NOT NULL,
  account_identity CHAR(27) CHARACTER SET ascii COLLATE ascii_bin NULL,
  state ENUM('sending','accepted','rejected','not_sent','unknown') NOT NULL DEFAULT 'sending',
  outcome_code VARCHAR(64) NULL,
  outcome_text VARCHAR(1000) NULL,
  sent_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  ends_at DATETIME(6) NULL,
  answered_at DATETIME(6) NULL,
  UNIQUE KEY carrier_attempts_once (shipment_uuid, operation, number),
  KEY carrier_attempts_sent (sent_at)
) ${TABLE}`,
];
