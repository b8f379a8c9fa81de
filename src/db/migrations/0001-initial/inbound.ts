import { TABLE, UUID } from '../parts.js';

/**
 * Events of carriers' webhooks. No foreign keys: an event is stored before its parcel is known, and must not wait for
 * the row of a license that is being edited.
 */
export const inbound: readonly string[] = [
  `CREATE TABLE inbound_events (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  license_id BIGINT UNSIGNED NOT NULL,
  event_key BINARY(32) NOT NULL,
  parcel VARCHAR(64) NOT NULL,
  tracking_code VARCHAR(64) NULL,
  reference ${UUID} NULL,
  code VARCHAR(32) NULL,
  carrier_code VARCHAR(64) NOT NULL,
  carrier_description VARCHAR(500) NOT NULL,
  occurred_at DATETIME(6) NOT NULL,
  location VARCHAR(255) NULL,
  is_current BOOLEAN NOT NULL DEFAULT FALSE,
  status ENUM('pending','applied','ignored') NOT NULL DEFAULT 'pending',
  reason VARCHAR(32) NULL,
  shipment_id BIGINT UNSIGNED NULL,
  attempts INT UNSIGNED NOT NULL DEFAULT 0,
  next_attempt_at DATETIME(6) NULL,
  received_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  finished_at DATETIME(6) NULL,
  UNIQUE KEY inbound_events_once (license_id, event_key),
  KEY inbound_events_due (license_id, status, next_attempt_at),
  KEY inbound_events_parcel (license_id, parcel, status),
  KEY inbound_events_waiting (status, next_attempt_at, license_id),
  KEY inbound_events_finished (finished_at)
) ${TABLE}`,
];
