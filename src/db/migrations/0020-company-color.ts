/** Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+. */
export const statements: readonly string[] = [
  // Empty, or `#rrggbb`.
  "ALTER TABLE accounts ADD COLUMN company_color VARCHAR(7) NOT NULL DEFAULT '' AFTER company_logo",
];
