/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // Which of the carrier's accounts was asked, as a keyed hash: a look-up in another one says nothing.
  'ALTER TABLE carrier_attempts ADD COLUMN account_identity CHAR(27) CHARACTER SET ascii COLLATE ascii_bin NULL',
];
