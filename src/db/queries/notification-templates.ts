import { isShipmentEvent, type ShipmentEvent } from '../../domain/events.js';
import { type Executor, isDuplicateKey, type SqlValue } from '../database.js';
import { int } from '../row.js';
import { insertRow } from '../sql.js';
import { notificationTemplates } from '../tables/notification-templates.js';

/** A merchant's own wording of a mail. Timestamps: ISO 8601 UTC with microseconds. */
export interface TemplateRecord {
  id: number;
  event: ShipmentEvent;
  /** Two-letter language. */
  locale: string;
  subject: string;
  body: string;
  createdAt: string;
  updatedAt: string;
}

/** What a merchant chooses of a template. */
export type TemplateText = Pick<TemplateRecord, 'event' | 'locale' | 'subject' | 'body'>;

interface LicenseScope {
  accountId: number;
  licenseId: number;
}

const COLUMNS = ['id', 'event', 'locale', 'subject', 'body', 'createdAt', 'updatedAt'] as const;

/** A license's templates, by event and language; `event` narrows them. */
export async function listTemplates(
  db: Executor,
  { accountId, licenseId, event }: LicenseScope & { event?: ShipmentEvent },
): Promise<TemplateRecord[]> {
  const params: SqlValue[] = [accountId, licenseId];
  if (event !== undefined) params.push(event);
  const rows = await notificationTemplates.select(
    db,
    COLUMNS,
    `WHERE account_id = ? AND license_id = ? ${event === undefined ? '' : 'AND event = ?'}
     ORDER BY event, locale`,
    params,
  );
  return rows.map(toTemplate);
}

/** One template of the license; null when there is none. */
export async function findTemplate(
  db: Executor,
  { accountId, licenseId, id }: LicenseScope & { id: number },
): Promise<TemplateRecord | null> {
  const [row] = await notificationTemplates.select(
    db,
    COLUMNS,
    `WHERE account_id = ? AND license_id = ? AND id = ?`,
    [accountId, licenseId, id],
  );
  return row === undefined ? null : toTemplate(row);
}

/** Inserts a template and gives its id; null when the license has one for that event and language. */
export async function insertTemplate(
  db: Executor,
  { accountId, licenseId, template }: LicenseScope & { template: TemplateText },
): Promise<number | null> {
  const { event, locale, subject, body } = template;
  const values = { account_id: accountId, license_id: licenseId, event, locale, subject, body };
  return await nullIfTaken(() => insertRow(db, 'notification_templates', values));
}

/** Replaces a template's text; null when the license has another one for that event and language. */
export async function updateTemplate(
  db: Executor,
  { accountId, licenseId, id, template }: LicenseScope & { id: number; template: TemplateText },
): Promise<true | null> {
  return await nullIfTaken<true>(async () => {
    await db.run(
      `UPDATE notification_templates SET event = ?, locale = ?, subject = ?, body = ?
       WHERE account_id = ? AND license_id = ? AND id = ?`,
      [template.event, template.locale, template.subject, template.body, accountId, licenseId, id],
    );
    return true;
  });
}

/** Mails whose template is forgotten by one statement. */
const FORGET_AT_ONCE = 1000;

/**
 * Deletes a template; false when there was none. The mails that were made by it are many: let go by the foreign key, in one
 * statement, they would take longer than one may.
 */
export async function deleteTemplate(
  db: Executor,
  { accountId, licenseId, id }: LicenseScope & { id: number },
): Promise<boolean> {
  let forgotten: number;
  do {
    const { affectedRows } = await db.run(
      `UPDATE notification_logs SET template_id = NULL
       WHERE template_id = (SELECT t.id FROM notification_templates t WHERE t.account_id = ? AND t.license_id = ? AND t.id = ?)
       LIMIT ${FORGET_AT_ONCE}`,
      [accountId, licenseId, id],
    );
    forgotten = affectedRows;
  } while (forgotten === FORGET_AT_ONCE);
  const { affectedRows } = await db.run(
    'DELETE FROM notification_templates WHERE account_id = ? AND license_id = ? AND id = ?',
    [accountId, licenseId, id],
  );
  return affectedRows === 1;
}

/** How many templates the license has beside the one named, and the bytes of their bodies. */
export async function measureTemplates(
  db: Executor,
  { accountId, licenseId, besideId = 0 }: LicenseScope & { besideId?: number },
): Promise<{ count: number; bytes: number }> {
  const [row] = await db.select(
    `SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(body)), 0) AS bytes FROM notification_templates
     WHERE account_id = ? AND license_id = ? AND id <> ?`,
    [accountId, licenseId, besideId],
  );
  return row === undefined ? { count: 0, bytes: 0 } : { count: int(row, 'n'), bytes: int(row, 'bytes') };
}

async function nullIfTaken<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}

function toTemplate<R extends { event: string }>(row: R): R & { event: ShipmentEvent } {
  const { event } = row;
  if (!isShipmentEvent(event)) throw new TypeError('Column event holds no notification event.');
  return { ...row, event };
}
