import { NOW, STAMPS, TABLE, UUID } from '../parts.js';

/** Mails to recipients. */
export const notifications: readonly string[] = [
  // `mails_begun`: mails to recipients begun on the day `mails_on` (UTC). `mails_dropped`: those beyond the limit on the
  // day `dropped_on`.
  `CREATE TABLE notification_settings (
  license_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  enabled BOOLEAN NOT NULL DEFAULT FALSE,
  events JSON NOT NULL,
  from_name VARCHAR(100) NULL,
  reply_to VARCHAR(255) NULL,
  mails_on DATE NULL,
  mails_begun INT UNSIGNED NOT NULL DEFAULT 0,
  dropped_on DATE NULL,
  mails_dropped INT UNSIGNED NOT NULL DEFAULT 0,
  ${STAMPS},
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  `CREATE TABLE notification_templates (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  event VARCHAR(64) NOT NULL,
  locale VARCHAR(16) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  body MEDIUMTEXT NOT NULL,
  ${STAMPS},
  UNIQUE KEY notification_templates_once (license_id, event, locale),
  KEY notification_templates_account (account_id, license_id, id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  // `sending_since` is set while a mail server has the mail, and stays set when the process dies.
  `CREATE TABLE notification_logs (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  shipment_id BIGINT UNSIGNED NOT NULL,
  event VARCHAR(64) NOT NULL,
  event_id ${UUID} NOT NULL,
  data JSON NOT NULL,
  recipient VARCHAR(255) NULL,
  template_id BIGINT UNSIGNED NULL,
  subject VARCHAR(500) NULL,
  status ENUM('pending','sent','failed','skipped') NOT NULL DEFAULT 'pending',
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  next_attempt_at DATETIME(6) NULL,
  sending_since DATETIME(6) NULL,
  last_error VARCHAR(500) NULL,
  created_at ${NOW},
  sent_at DATETIME(6) NULL,
  UNIQUE KEY notification_logs_event (license_id, event_id),
  KEY notification_logs_list (account_id, license_id, id),
  KEY notification_logs_due (license_id, status, next_attempt_at),
  KEY notification_logs_created (created_at),
  KEY notification_logs_of_event (license_id, event, id, status),
  KEY notification_logs_sweep (status, next_attempt_at, license_id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (shipment_id) REFERENCES shipments (id),
  FOREIGN KEY (template_id) REFERENCES notification_templates (id) ON DELETE SET NULL
) ${TABLE}`,
  `CREATE TABLE mail_stops (
  account_id BIGINT UNSIGNED NOT NULL,
  address_hash BINARY(32) NOT NULL,
  created_at ${NOW},
  PRIMARY KEY (account_id, address_hash),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
];
