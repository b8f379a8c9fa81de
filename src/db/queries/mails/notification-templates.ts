import type { ShipmentEvent } from '../../../domain/events.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { type Executor, isDuplicateKey } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { notificationTemplates } from '../../tables/index.js';

const TEMPLATE = notificationTemplates.pick(
  'id',
  'event',
  'locale',
  'subject',
  'body',
  'createdAt',
  'updatedAt',
);

/** A merchant's own wording of a mail. Timestamps: ISO 8601 UTC with microseconds. */
export type TemplateRecord = Selected<typeof TEMPLATE>;

/** The fields of a template that a merchant sets. */
export type TemplateText = Pick<TemplateRecord, 'event' | 'locale' | 'subject' | 'body'>;

interface LicenseScope {
  accountId: number;
  licenseId: number;
}

/** A license's templates, by event and language; `event` narrows them. */
export async function listTemplates(
  db: Executor,
  scope: LicenseScope & { event?: ShipmentEvent },
): Promise<TemplateRecord[]> {
  return await notificationTemplates.find(db, TEMPLATE, scope, { order: ['event', 'locale'] });
}

/** One template of the license; null when there is none. */
export async function findTemplate(
  db: Executor,
  key: LicenseScope & { id: number },
): Promise<TemplateRecord | null> {
  return await notificationTemplates.findOne(db, TEMPLATE, key);
}

/** Inserts a template and returns its id; null when the license has one for that event and language. */
export async function insertTemplate(
  db: Executor,
  { accountId, licenseId, template }: LicenseScope & { template: TemplateText },
): Promise<number | null> {
  const { event, locale, subject, body } = template;
  const values = { accountId, licenseId, event, locale, subject, body };
  return await nullIfTaken(() => notificationTemplates.insert(db, values));
}

/** Replaces a template's text; null when the license has another one for that event and language. */
export async function updateTemplate(
  db: Executor,
  { accountId, licenseId, id, template }: LicenseScope & { id: number; template: TemplateText },
): Promise<true | null> {
  // It may hold more than these, sent by a caller.
  const { event, locale, subject, body } = template;
  return await nullIfTaken<true>(async () => {
    await notificationTemplates.update(db, { accountId, licenseId, id }, { event, locale, subject, body });
    return true;
  });
}

/**
 * Deletes a template; false when there was none. Its mails may be many: the foreign key would unlink them in one
 * statement, which could exceed the time limit.
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
       LIMIT ${LIMITS.database.rows}`,
      [accountId, licenseId, id],
    );
    forgotten = affectedRows;
  } while (forgotten === LIMITS.database.rows);
  const { affectedRows } = await db.run(
    'DELETE FROM notification_templates WHERE account_id = ? AND license_id = ? AND id = ?',
    [accountId, licenseId, id],
  );
  return affectedRows === 1;
}

const MEASURE = shape({
  count: expression('COUNT(*)', int),
  bytes: expression('COALESCE(SUM(LENGTH(body)), 0)', int),
});

/** Number of the license's other templates, and the bytes of their bodies. */
export async function measureTemplates(
  db: Executor,
  { accountId, licenseId, besideId = 0 }: LicenseScope & { besideId?: number },
): Promise<{ count: number; bytes: number }> {
  const measured = await MEASURE.first(
    db,
    `FROM notification_templates
     WHERE account_id = ? AND license_id = ? AND id <> ?`,
    [accountId, licenseId, besideId],
  );
  return measured ?? { count: 0, bytes: 0 };
}

async function nullIfTaken<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}
