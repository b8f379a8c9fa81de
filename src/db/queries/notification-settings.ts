import { isShipmentEvent } from '../../domain/events.js';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../domain/notifications.js';
import type { Executor, Row } from '../database.js';
import { bool, isoOrNull, json, textOrNull } from '../row.js';

/** A license's settings as stored. `updatedAt`: ISO 8601 UTC with microseconds, null for the defaults. */
export interface NotificationSettingsRecord extends NotificationSettings {
  updatedAt: string | null;
}

interface LicenseScope {
  accountId: number;
  licenseId: number;
}

/** A license's settings; the defaults where it never chose. */
export async function getNotificationSettings(
  db: Executor,
  { accountId, licenseId }: LicenseScope,
): Promise<NotificationSettingsRecord> {
  const [row] = await db.select(
    `SELECT enabled, events, from_name, reply_to, updated_at FROM notification_settings
     WHERE license_id = ? AND account_id = ?`,
    [licenseId, accountId],
  );
  return row === undefined ? { ...DEFAULT_SETTINGS, updatedAt: null } : toSettings(row);
}

/** Replaces a license's settings as a whole. */
export async function saveNotificationSettings(
  db: Executor,
  { accountId, licenseId, settings }: LicenseScope & { settings: NotificationSettings },
): Promise<void> {
  await db.run(
    `INSERT INTO notification_settings (license_id, account_id, enabled, events, from_name, reply_to)
     VALUES (?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE enabled = VALUES(enabled), events = VALUES(events),
       from_name = VALUES(from_name), reply_to = VALUES(reply_to)`,
    [
      licenseId,
      accountId,
      settings.enabled,
      JSON.stringify(settings.events),
      settings.fromName,
      settings.replyTo,
    ],
  );
}

function toSettings(row: Row): NotificationSettingsRecord {
  const events = json(row, 'events');
  const names = Array.isArray(events) ? events.map(String) : [];
  return {
    enabled: bool(row, 'enabled'),
    events: names.filter(isShipmentEvent),
    fromName: textOrNull(row, 'from_name'),
    replyTo: textOrNull(row, 'reply_to'),
    updatedAt: isoOrNull(row, 'updated_at'),
  };
}
