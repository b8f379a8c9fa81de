import { NOW, STAMPS, TABLE, TURN, UUID } from '../parts.js';

/**
 * Lists of shipments are read along a key that begins with the license, status and type and ends with the sort; a list
 * of several is merged. `shipments_kind_created` includes the other sort columns, so that a list limited by time reads
 * no row to sort; `shipments_kind_ready` includes the creation time, for lists of labelled shipments. The account's own
 * key serves whole accounts, and holds what their figures count; `shipments_reserved` does so for all accounts.
 */
const KIND = 'license_id, state, status_code, service_type';

/** Orders and their shipments. */
export const shipments: readonly string[] = [
  `CREATE TABLE shipping_statuses (
  code VARCHAR(32) NOT NULL PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  \`rank\` INT NOT NULL,
  is_delivered BOOLEAN NOT NULL,
  is_final BOOLEAN NOT NULL
) ${TABLE}`,
  // `warehouse_location`: what labels and lists need of `meta_data`, which may be as large as a request.
  `CREATE TABLE orders (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  store_site_id BIGINT UNSIGNED NULL,
  order_id VARCHAR(191) NOT NULL,
  number VARCHAR(255) NOT NULL,
  status VARCHAR(64) NULL,
  source VARCHAR(64) NOT NULL DEFAULT '',
  total DECIMAL(14,2) NOT NULL DEFAULT 0,
  currency CHAR(3) NOT NULL,
  external_id VARCHAR(191) NULL,
  billing JSON NOT NULL,
  shipping JSON NOT NULL,
  meta_data JSON NULL,
  warehouse_location VARCHAR(255) NULL,
  ${TURN},
  ${STAMPS},
  UNIQUE KEY orders_store_id (license_id, order_id),
  KEY orders_account (account_id, id, license_id),
  KEY orders_license (license_id, id),
  KEY orders_number (license_id, number, id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (store_site_id) REFERENCES store_sites (id)
) ${TABLE}`,
  `CREATE TABLE order_items (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT UNSIGNED NOT NULL,
  position INT UNSIGNED NOT NULL,
  name VARCHAR(1000) NOT NULL,
  sku VARCHAR(255) NULL,
  variation VARCHAR(1000) NULL,
  quantity INT UNSIGNED NOT NULL,
  total DECIMAL(14,2) NULL,
  is_virtual BOOLEAN NOT NULL DEFAULT FALSE,
  UNIQUE KEY order_items_position (order_id, position),
  FOREIGN KEY (order_id) REFERENCES orders (id)
) ${TABLE}`,
  // `pending_order`: the order that the creation was given, as JSON text, kept until the creation ends, for a rerun.
  // `shipments_export`: a license's shipments in export order. `shipments_accepted`: orders with an accepted shipment,
  // in their order, skipping any number of refused ones. `holds_code`: NULL, which a unique key takes any number of, once
  // another shipment of the license has got the same tracking code.
  `CREATE TABLE shipments (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  uuid ${UUID} NOT NULL UNIQUE,
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  carrier_id BIGINT UNSIGNED NOT NULL,
  order_id BIGINT UNSIGNED NOT NULL,
  state ENUM('reserved','created','refused') NOT NULL DEFAULT 'reserved',
  workflow_id VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  tracking_code VARCHAR(64) NULL,
  holds_code BOOLEAN NULL DEFAULT TRUE,
  carrier_reference VARCHAR(64) NULL,
  short_tracking_code CHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL UNIQUE,
  status_code VARCHAR(32) NOT NULL DEFAULT 'pending',
  status_description VARCHAR(500) NOT NULL DEFAULT 'Pending',
  status_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  service_type TINYINT UNSIGNED NOT NULL,
  return_type TINYINT UNSIGNED NOT NULL,
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  recipient_name VARCHAR(255) NOT NULL,
  recipient_phone VARCHAR(64) NOT NULL,
  recipient_phone_key VARCHAR(64) NOT NULL DEFAULT '',
  recipient_email VARCHAR(255) NULL,
  recipient_company VARCHAR(255) NULL,
  recipient_street VARCHAR(255) NULL,
  recipient_number VARCHAR(32) NULL,
  recipient_entrance VARCHAR(32) NULL,
  recipient_floor VARCHAR(32) NULL,
  recipient_apartment VARCHAR(32) NULL,
  recipient_city VARCHAR(255) NULL,
  recipient_state VARCHAR(255) NULL,
  recipient_zip VARCHAR(32) NULL,
  recipient_country CHAR(2) NOT NULL,
  pickup_point_id VARCHAR(64) NULL,
  packages SMALLINT UNSIGNED NOT NULL DEFAULT 1,
  cod_amount DECIMAL(14,2) NULL,
  cod_currency CHAR(3) NULL,
  external_id VARCHAR(191) NULL,
  details JSON NOT NULL,
  pending_order MEDIUMTEXT NULL,
  answered_pending BOOLEAN NOT NULL DEFAULT FALSE,
  label_generated BOOLEAN NOT NULL DEFAULT FALSE,
  collection_status VARCHAR(32) NULL,
  collected_at DATETIME(6) NULL,
  ready_at DATETIME(6) NULL,
  cancelled_at DATETIME(6) NULL,
  delivered_at DATETIME(6) NULL,
  checked_at DATETIME(6) NULL,
  next_poll_at DATETIME(6) NULL,
  flag SMALLINT UNSIGNED NOT NULL DEFAULT 0,
  ${STAMPS},
  KEY shipments_order (order_id, id),
  UNIQUE KEY shipments_license_code (license_id, tracking_code, holds_code),
  KEY shipments_poll (carrier_id, next_poll_at),
  KEY shipments_reserved (state, created_at, id, carrier_id, account_id, delivered_at),
  KEY shipments_recipient (recipient_phone_key, state, id),
  KEY shipments_export (license_id, state, created_at, id, status_code, is_active, service_type),
  KEY shipments_created (account_id, state, created_at, id, license_id, carrier_id, delivered_at, recipient_city),
  KEY shipments_kind_updated (${KIND}, updated_at, id),
  KEY shipments_kind_tracking (${KIND}, tracking_code, id),
  KEY shipments_kind_ready (${KIND}, ready_at, id, created_at),
  KEY shipments_kind_collected (${KIND}, collected_at, id),
  KEY shipments_kind_created (${KIND}, created_at, id, updated_at, tracking_code, ready_at, collected_at),
  KEY shipments_accepted (license_id, state, order_id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (carrier_id) REFERENCES carriers (id),
  FOREIGN KEY (order_id) REFERENCES orders (id)
) ${TABLE}`,
  `CREATE TABLE shipment_events (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  shipment_id BIGINT UNSIGNED NOT NULL,
  code VARCHAR(32) NOT NULL,
  description VARCHAR(500) NOT NULL,
  occurred_at DATETIME(6) NOT NULL,
  carrier_code VARCHAR(64) NOT NULL DEFAULT '',
  carrier_description VARCHAR(500) NULL,
  location VARCHAR(255) NULL,
  created_at ${NOW},
  UNIQUE KEY shipment_events_once (shipment_id, occurred_at, code, carrier_code),
  FOREIGN KEY (shipment_id) REFERENCES shipments (id)
) ${TABLE}`,
  // No foreign keys: counts change inside transactions of shipments, which must not wait for the row of an account or a
  // license that is being edited.
  `CREATE TABLE shipment_counts (
  account_id BIGINT UNSIGNED NOT NULL,
  license_id BIGINT UNSIGNED NOT NULL,
  status_code VARCHAR(32) NOT NULL,
  service_type TINYINT UNSIGNED NOT NULL,
  slot TINYINT UNSIGNED NOT NULL,
  total BIGINT NOT NULL,
  PRIMARY KEY (account_id, license_id, status_code, service_type, slot)
) ${TABLE}`,
];
