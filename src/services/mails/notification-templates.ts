import type { Database } from '../../db/database.js';
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  measureTemplates,
  type TemplateRecord,
  type TemplateText,
  updateTemplate,
} from '../../db/queries/mails/notification-templates.js';
import { builtinTemplates } from '../../documents/mails/recipient-mail.js';
import { AppError, notFound, validationError } from '../../domain/errors.js';
import type { ShipmentEvent } from '../../domain/events.js';
import {
  checkLookalikes,
  checkPlaceholders,
  parseBody,
  parseSubject,
  TemplateError,
} from '../../domain/mail-template/parse.js';
import { type FieldErrors, problem } from '../../domain/problems/problem.js';
import { LIMITS } from '../../lib/limits/values.js';

interface LicenseScope {
  accountId: number;
  licenseId: number;
}

/** A merchant's own template, or the built-in one in its place. */
export interface ListedTemplate extends TemplateText {
  /** Null for a built-in one. */
  id: number | null;
  createdAt: string | null;
  updatedAt: string | null;
}

/** A license's templates and the built-in ones it did not replace, by event and language. */
export async function listNotificationTemplates(
  db: Database,
  scope: LicenseScope & { event?: ShipmentEvent },
): Promise<ListedTemplate[]> {
  const own = await listTemplates(db, scope);
  const replaced = new Set(own.map(({ event, locale }) => `${event} ${locale}`));
  const builtin = builtinTemplates()
    .filter(({ event }) => scope.event === undefined || event === scope.event)
    .filter(({ event, locale }) => !replaced.has(`${event} ${locale}`))
    .map((template) => ({ ...template, id: null, createdAt: null, updatedAt: null }));
  const byKey = (one: TemplateText, other: TemplateText) =>
    `${one.event} ${one.locale}` < `${other.event} ${other.locale}` ? -1 : 1;
  return [...own, ...builtin].sort(byKey);
}

/**
 * Stores a new template. @throws AppError `validation_failed` for text that cannot be rendered or too many
 * templates; `duplicate_request` when the event and language have one
 */
export async function createNotificationTemplate(
  db: Database,
  { template, ...scope }: LicenseScope & { template: TemplateText },
): Promise<TemplateRecord> {
  checkTemplate(template);
  const others = await measureTemplates(db, scope);
  if (others.count >= LIMITS.mails.templates) {
    throw validationError({ locale: [problem('most_templates', { limit: LIMITS.mails.templates })] });
  }
  checkRoom(others, template);
  const id = await insertTemplate(db, { ...scope, template });
  if (id === null) throw taken();
  return await storedTemplate(db, { ...scope, id });
}

/** Changes the given fields. @throws AppError `not_found`, and as {@link createNotificationTemplate} */
export async function changeNotificationTemplate(
  db: Database,
  { changes, ...scope }: LicenseScope & { id: number; changes: Partial<TemplateText> },
): Promise<TemplateRecord> {
  const { event, locale, subject, body } = await storedTemplate(db, scope);
  const template = { event, locale, subject, body, ...changes };
  checkTemplate(template);
  if (Buffer.byteLength(template.body) > Buffer.byteLength(body)) {
    checkRoom(await measureTemplates(db, { ...scope, besideId: scope.id }), template);
  }
  if ((await updateTemplate(db, { ...scope, template })) === null) throw taken();
  return await storedTemplate(db, scope);
}

export async function storedTemplate(
  db: Database,
  scope: LicenseScope & { id: number },
): Promise<TemplateRecord> {
  const template = await findTemplate(db, scope);
  if (template === null) throw notFound('template');
  return template;
}

/** @throws AppError `validation_failed` naming the field that cannot be rendered */
export function checkTemplate({ subject, body }: { subject: string; body: string }): void {
  const fields: FieldErrors = {
    ...problemOf('subject', () => checkLookalikes(parseSubject(subject))),
    ...problemOf('body', () => {
      const template = parseBody(body);
      checkPlaceholders(template);
      checkLookalikes(template);
    }),
  };
  if (Object.keys(fields).length > 0) throw validationError(fields);
}

/** @throws AppError `validation_failed` */
function checkRoom(others: { bytes: number }, { body }: TemplateText): void {
  if (others.bytes + Buffer.byteLength(body) <= LIMITS.mails.templateKib * 1024) return;
  throw validationError({ body: [problem('templates_size', { limit: LIMITS.mails.templateKib })] });
}

function problemOf(field: string, parse: () => unknown): FieldErrors {
  try {
    parse();
    return {};
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { [field]: [error.problemAt(field)] };
  }
}

function taken(): AppError {
  return new AppError('duplicate_request', problem('template_taken'));
}
