/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const STAMPS = `created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)`;

/** What API v1 needs beside v2: recipients and their tokens, store sites, the response log, settlement lists. */
export const statements: readonly string[] = [
  `CREATE TABLE recipients (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  phone VARCHAR(255) NOT NULL UNIQUE,
  ${STAMPS}
) ${TABLE}`,
  `CREATE TABLE personal_access_tokens (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NULL,
  recipient_id BIGINT UNSIGNED NULL,
  name VARCHAR(255) NOT NULL,
  token_hash BINARY(32) NOT NULL,
  last_used_at DATETIME(6) NULL,
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY personal_access_tokens_user (user_id, id),
  KEY personal_access_tokens_recipient (recipient_id, id),
  CONSTRAINT personal_access_tokens_owner CHECK ((user_id IS NULL) <> (recipient_id IS NULL)),
  FOREIGN KEY (user_id) REFERENCES users (id),
  FOREIGN KEY (recipient_id) REFERENCES recipients (id)
) ${TABLE}`,
  `CREATE TABLE store_sites (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NULL,
  platform VARCHAR(32) NOT NULL,
  domain VARCHAR(255) NOT NULL,
  callback_url VARCHAR(2048) NULL,
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  ${STAMPS},
  UNIQUE KEY store_sites_domain (account_id, domain),
  KEY store_sites_license (license_id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `ALTER TABLE webhook_subscriptions
  ADD FOREIGN KEY (store_site_id) REFERENCES store_sites (id)`,
  `CREATE TABLE service_secrets (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  secret_hash BINARY(32) NOT NULL,
  secret_last4 CHAR(4) NOT NULL,
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)
) ${TABLE}`,
  `CREATE TABLE response_logs (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  license_id BIGINT UNSIGNED NULL,
  route VARCHAR(128) NOT NULL,
  status SMALLINT UNSIGNED NOT NULL,
  body MEDIUMTEXT NOT NULL,
  created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY response_logs_license (license_id, id),
  KEY response_logs_created (created_at)
) ${TABLE}`,
  `CREATE TABLE settlement_copies (
  license_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  settlements JSON NOT NULL,
  refreshed_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `ALTER TABLE orders
  ADD COLUMN store_site_id BIGINT UNSIGNED NULL,
  ADD FOREIGN KEY (store_site_id) REFERENCES store_sites (id)`,
  `ALTER TABLE shipments
  ADD COLUMN recipient_phone_key VARCHAR(64) NOT NULL DEFAULT '',
  ADD COLUMN flag SMALLINT UNSIGNED NOT NULL DEFAULT 0,
  ADD KEY shipments_recipient (recipient_phone_key, state, id)`,
];
