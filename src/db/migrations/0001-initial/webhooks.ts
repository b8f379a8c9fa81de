import { NOW, TABLE, UUID } from '../parts.js';

/**
 * A store site with REST keys has one subscription; with `license_id` null it covers every license of the account.
 * Deliveries and attempts have no foreign keys: they are written inside transactions of shipments, which must not wait
 * for the row of a subscription that is being edited.
 */
export const webhooks: readonly string[] = [
  `CREATE TABLE webhook_subscriptions (
  id ${UUID} NOT NULL PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NULL,
  store_site_id BIGINT UNSIGNED NULL UNIQUE,
  url VARCHAR(2048) NOT NULL,
  events JSON NOT NULL,
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  secret VARBINARY(255) NOT NULL,
  older_secrets JSON NULL,
  failing_since DATETIME(6) NULL,
  disabled_reason VARCHAR(32) NULL,
  owner_told_at DATETIME(6) NULL,
  deleted_at DATETIME(6) NULL,
  created_at ${NOW},
  updated_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY webhook_subscriptions_license (license_id, is_active),
  KEY webhook_subscriptions_account (account_id, license_id),
  KEY webhook_subscriptions_deleted (deleted_at),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (store_site_id) REFERENCES store_sites (id)
) ${TABLE}`,
  `CREATE TABLE webhook_deliveries (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid ${UUID} NOT NULL UNIQUE,
  subscription_id ${UUID} NOT NULL,
  account_id BIGINT UNSIGNED NOT NULL,
  shipment_id BIGINT UNSIGNED NULL,
  event VARCHAR(64) NOT NULL,
  event_id ${UUID} NOT NULL,
  payload TEXT NOT NULL,
  status ENUM('pending','succeeded','failed') NOT NULL DEFAULT 'pending',
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  attempts_allowed INT UNSIGNED NOT NULL,
  next_attempt_at DATETIME(6) NULL,
  created_at ${NOW},
  completed_at DATETIME(6) NULL,
  UNIQUE KEY webhook_deliveries_once (subscription_id, event_id),
  KEY webhook_deliveries_list (subscription_id, id),
  KEY webhook_deliveries_shipment (shipment_id, subscription_id),
  KEY webhook_deliveries_event (subscription_id, event, id),
  KEY webhook_deliveries_status (subscription_id, status, id),
  KEY webhook_deliveries_due (subscription_id, status, next_attempt_at),
  KEY webhook_deliveries_waiting (status, next_attempt_at, subscription_id),
  KEY webhook_deliveries_age (created_at)
) ${TABLE}`,
  `CREATE TABLE webhook_attempts (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  delivery_id BIGINT UNSIGNED NOT NULL,
  number INT UNSIGNED NOT NULL,
  state ENUM('sending','succeeded','failed','unknown') NOT NULL DEFAULT 'sending',
  started_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  duration_ms INT UNSIGNED NULL,
  response_status SMALLINT UNSIGNED NULL,
  response_body TEXT NULL,
  error VARCHAR(500) NULL,
  UNIQUE KEY webhook_attempts_once (delivery_id, number)
) ${TABLE}`,
];
