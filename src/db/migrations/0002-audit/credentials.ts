import { STAMPS, TABLE } from '../parts.js';

/** Credentials beside an account's current ones, and accounts that may do nothing. */
export const credentials: readonly string[] = [
  `CREATE TABLE client_credentials (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  client_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL UNIQUE,
  client_secret_hash BINARY(32) NOT NULL,
  client_secret_last4 CHAR(4) NOT NULL,
  is_read_only BOOLEAN NOT NULL DEFAULT FALSE,
  expires_at DATETIME(6) NULL,
  last_used_at DATETIME(6) NULL,
  ${STAMPS},
  KEY client_credentials_account (account_id, id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  'ALTER TABLE accounts ADD COLUMN disabled_at DATETIME(6) NULL AFTER enable_api',
];
