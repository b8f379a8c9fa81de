import { NOW, STAMPS, TABLE, TURN } from '../parts.js';

/** Users of the panel, their sessions, and the forms that they have sent. */
export const panel: readonly string[] = [
  // `account_id`: null for users who run the service. `totp_secret`: encrypted with APP_KEY. `totp_step`: the newest
  // time step that has signed in. `recovery_hashes`: SHA-256 of the codes, sealed with APP_KEY. A password and a TOTP
  // secret are set by accepting an invitation.
  `CREATE TABLE panel_users (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NULL,
  email VARCHAR(255) NOT NULL UNIQUE,
  name VARCHAR(255) NOT NULL,
  role VARCHAR(32) NOT NULL,
  language VARCHAR(8) NOT NULL DEFAULT 'en',
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  password_hash VARCHAR(255) NULL,
  totp_secret VARBINARY(255) NULL,
  totp_step BIGINT UNSIGNED NOT NULL DEFAULT 0,
  recovery_hashes JSON NULL,
  wrong_codes INT UNSIGNED NOT NULL DEFAULT 0,
  wrong_codes_since DATETIME(6) NULL,
  invitation_hash VARBINARY(65) NULL UNIQUE,
  invitation_ends_at DATETIME(6) NULL,
  last_license_id BIGINT UNSIGNED NULL,
  ${TURN},
  ${STAMPS},
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  `CREATE TABLE panel_sessions (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  token_hash VARBINARY(65) NOT NULL UNIQUE,
  user_id BIGINT UNSIGNED NOT NULL,
  address VARCHAR(64) NOT NULL,
  browser VARCHAR(255) NOT NULL,
  seen_at ${NOW},
  created_at ${NOW},
  KEY panel_sessions_user (user_id, id),
  FOREIGN KEY (user_id) REFERENCES panel_users (id)
) ${TABLE}`,
  // `claim`: of the request that carries the form out, for as long as it renews `claimed_until`. `answer`: what the
  // form was answered with, encrypted with APP_KEY; null while it is carried out.
  `CREATE TABLE panel_sent_forms (
  user_id BIGINT UNSIGNED NOT NULL,
  form_key BINARY(32) NOT NULL,
  content_hash BINARY(32) NOT NULL,
  claim BINARY(16) NOT NULL,
  claimed_until DATETIME(6) NOT NULL,
  answer MEDIUMBLOB NULL,
  created_at ${NOW},
  PRIMARY KEY (user_id, form_key),
  KEY panel_sent_forms_created (created_at),
  FOREIGN KEY (user_id) REFERENCES panel_users (id)
) ${TABLE}`,
];
