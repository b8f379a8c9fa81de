import { TABLE } from '../parts.js';

/** Copies of what carriers list. */
export const copies: readonly string[] = [
  `CREATE TABLE pickup_point_copies (
  license_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  account_id BIGINT UNSIGNED NOT NULL,
  carrier_id BIGINT UNSIGNED NOT NULL,
  generation INT UNSIGNED NOT NULL DEFAULT 1,
  points INT UNSIGNED NOT NULL,
  refreshed_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  asked_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY pickup_point_copies_carrier (carrier_id, license_id),
  FOREIGN KEY (license_id) REFERENCES licenses (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id),
  FOREIGN KEY (carrier_id) REFERENCES carriers (id)
) ${TABLE}`,
  `CREATE TABLE pickup_points (
  license_id BIGINT UNSIGNED NOT NULL,
  point_id VARCHAR(64) NOT NULL,
  generation INT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  city VARCHAR(255) NOT NULL,
  city_key VARCHAR(255) NOT NULL,
  street VARCHAR(255) NOT NULL,
  number VARCHAR(32) NOT NULL,
  street_code VARCHAR(32) NOT NULL,
  latitude DECIMAL(9,6) NULL,
  longitude DECIMAL(9,6) NULL,
  remarks VARCHAR(1000) NOT NULL,
  PRIMARY KEY (license_id, point_id),
  KEY pickup_points_city (license_id, city_key, point_id),
  KEY pickup_points_place (license_id, latitude, longitude),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
  `CREATE TABLE settlement_copies (
  license_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  settlements JSON NOT NULL,
  refreshed_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  FOREIGN KEY (license_id) REFERENCES licenses (id)
) ${TABLE}`,
];
