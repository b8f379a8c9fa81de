import { isShipmentEvent } from '../../../domain/events.js';
import { DEFAULT_SETTINGS, type NotificationSettings } from '../../../domain/notifications.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
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

const n = notificationSettings.as('n');
const DROPPED = shape({ day: n.droppedOn.map(String), count: n.mailsDropped });

/** The last day of the past week (UTC, `2026-11-29`) on which mails were beyond the license's limit, and how many. */
export async function findDroppedMails(
  db: Executor,
  { accountId, licenseId }: LicenseScope,
): Promise<Selected<typeof DROPPED> | null> {
  return await DROPPED.first(
    db,
    `FROM notification_settings n
     WHERE ${n.licenseId} = ? AND ${n.accountId} = ? AND ${n.droppedOn} > UTC_DATE() - INTERVAL 7 DAY`,
    [licenseId, accountId],
  );
}

const NAMES = ['enabled', 'events', 'fromName', 'replyTo'] as const;

/** Sets the given settings of a license; others stay, also those that are changed at the same time. */
export async function saveNotificationSettings(
  db: Executor,
  { accountId, licenseId, settings }: LicenseScope & { settings: Partial<NotificationSettings> },
): Promise<void> {
  const replacing = NAMES.filter((name) => settings[name] !== undefined);
  if (replacing.length === 0) return;
  const { events, ...others } = { ...DEFAULT_SETTINGS, ...settings };
  const row = { licenseId, accountId, ...others, events: [...events] };
  await notificationSettings.insert(db, row, { replacing });
}
