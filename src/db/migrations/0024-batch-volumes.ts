/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // What an account stored by batches on a day, in UTC. No foreign key: its lock would meet those of all creations.
  `CREATE TABLE batch_volumes (
  account_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  stored_on DATE NOT NULL,
  bytes BIGINT UNSIGNED NOT NULL
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
];
