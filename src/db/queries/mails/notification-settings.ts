import { isShipmentEvent } from '../../../domain/events.js';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../../domain/notifications.js';
import type { Executor } from '../../database.js';
import { notificationSettings } from '../../tables/index.js';

interface LicenseScope {
  accountId: number;
  licenseId: number;
}

const SETTINGS = notificationSettings.pick('enabled', 'events', 'fromName', 'replyTo', 'updatedAt');

/** A license's settings; the defaults, with null for `updatedAt` (ISO 8601 UTC), when it has none. */
export async function getNotificationSettings(
  db: Executor,
  { accountId, licenseId }: LicenseScope,
): Promise<NotificationSettings & { updatedAt: string | null }> {
  const found = await notificationSettings.findOne(db, SETTINGS, { licenseId, accountId });
  return found === null
    ? { ...DEFAULT_SETTINGS, updatedAt: null }
    : { ...found, events: found.events.filter(isShipmentEvent) };
}

/** Replaces all settings of a license. */
export async function saveNotificationSettings(
  db: Executor,
  { accountId, licenseId, settings }: LicenseScope & { settings: NotificationSettings },
): Promise<void> {
  const { enabled, events, fromName, replyTo } = settings;
  await notificationSettings.insert(
    db,
    { licenseId, accountId, enabled, events: [...events], fromName, replyTo },
    { replacing: ['enabled', 'events', 'fromName', 'replyTo'] },
  );
}
