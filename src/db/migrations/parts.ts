/** Ends each CREATE TABLE. Runs on MySQL 8 and MariaDB 10.6+. */
export const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
/** Type of a UUID's column. */
export const UUID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
/** Type of a time that the database sets when the row is made. */
export const NOW = 'DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)';
/** Changed by who locks the row, for clusters that compare changed rows only. */
export const TURN = 'turn INT UNSIGNED NOT NULL DEFAULT 0';
/** When a row was made, and when it was last changed. */
export const STAMPS = `created_at ${NOW},
  updated_at ${NOW} ON UPDATE CURRENT_TIMESTAMP(6)`;
