/**
 * Frozen once merged: later changes are new migrations. Runs on MySQL 8 and MariaDB 10.6+.
 *
 * An export is one file in the document store. One that was being written in parts begins anew with the next try of
 * its activity; one whose mails were going out has no file and fails.
 */
export const statements: readonly string[] = [
  'DROP TABLE IF EXISTS export_mails',
  'DROP TABLE IF EXISTS export_parts',
  // `file_uuid` names the file in the store and in its link. `file_expires_at`: when the file is deleted; null while
  // it is needed without an end, and once it is gone.
  `ALTER TABLE exports
  ADD COLUMN file_uuid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL AFTER filename,
  ADD COLUMN file_expires_at DATETIME(6) NULL AFTER file_uuid,
  ADD COLUMN mailed_at DATETIME(6) NULL AFTER file_expires_at,
  ADD UNIQUE KEY exports_file (file_uuid),
  ADD KEY exports_file_end (file_expires_at)`,
  // A license's shipments in the order of its exports, with the columns of their filters.
  `ALTER TABLE shipments
  ADD KEY shipments_export (license_id, state, created_at, id, status_code, is_active, service_type)`,
];
