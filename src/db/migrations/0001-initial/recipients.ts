import { NOW, STAMPS, TABLE } from '../parts.js';

/** Tables that API v1 needs beside v2: recipients and their tokens, and the response log. */
export const recipients: readonly string[] = [
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
  created_at ${NOW},
  KEY personal_access_tokens_user (user_id, id),
  KEY personal_access_tokens_recipient (recipient_id, id),
  CONSTRAINT personal_access_tokens_owner CHECK ((user_id IS NULL) <> (recipient_id IS NULL)),
  FOREIGN KEY (user_id) REFERENCES users (id),
  FOREIGN KEY (recipient_id) REFERENCES recipients (id)
) ${TABLE}`,
  `CREATE TABLE response_logs (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  license_id BIGINT UNSIGNED NULL,
  route VARCHAR(128) NOT NULL,
  status SMALLINT UNSIGNED NOT NULL,
  body MEDIUMTEXT NOT NULL,
  created_at ${NOW},
  KEY response_logs_license (license_id, id),
  KEY response_logs_created (created_at)
) ${TABLE}`,
];
