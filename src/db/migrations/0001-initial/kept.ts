import { STAMPS, TABLE } from '../parts.js';

/**
 * Things that people of an account keep for the next parcel: addresses, of which each person has one, and presets of parcels.
 * `phone_key`: as `phoneKey` makes it.
 */
export const kept: readonly string[] = [
  `CREATE TABLE kept_addresses (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  phone VARCHAR(64) NOT NULL,
  phone_key VARCHAR(64) NOT NULL,
  email VARCHAR(255) NOT NULL,
  street VARCHAR(255) NOT NULL,
  number VARCHAR(32) NOT NULL,
  entrance VARCHAR(32) NOT NULL,
  floor VARCHAR(32) NOT NULL,
  apartment VARCHAR(32) NOT NULL,
  city VARCHAR(255) NOT NULL,
  ${STAMPS},
  UNIQUE KEY kept_addresses_person (account_id, phone_key, name),
  KEY kept_addresses_phone (phone_key),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) ${TABLE}`,
  `CREATE TABLE parcel_presets (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(64) NOT NULL,
  license_id BIGINT UNSIGNED NULL,
  service_type TINYINT UNSIGNED NOT NULL,
  packages INT UNSIGNED NOT NULL,
  note VARCHAR(1000) NOT NULL,
  ${STAMPS},
  UNIQUE KEY parcel_presets_name (account_id, name),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
];
