import type { Database } from '../../db/database.js';
import { getAccount } from '../../db/queries/accounts/accounts.js';
import { getMailData } from '../../db/queries/mails/mail-data.js';
import type { RenderedMail } from '../../documents/mails/frame.js';
import { renderMail, sampleMailData } from '../../documents/mails/recipient-mail.js';
import type { MailTemplate } from '../../documents/mails/wording.js';
import { validationError } from '../../domain/errors.js';
import { TemplateError } from '../../domain/mail-template/parse.js';
import type { MailData } from '../../domain/notifications.js';
import { problemAt } from '../../domain/problems/problem.js';
import type { App } from '../app.js';

/** A template to render with a shipment's data or sample data. */
interface PreviewRequest {
  accountId: number;
  licenseId: number;
  template: MailTemplate;
  /** Uuid of one of the license's created shipments. */
  shipmentUuid?: string;
}

/**
 * Renders the mail. @throws AppError `validation_failed` when the license has no such shipment, or the mail
 * would be too long
 */
export async function previewNotification(
  app: Pick<App<'baseUrl'>, 'db' | 'config'>,
  request: PreviewRequest,
): Promise<RenderedMail> {
  const mailData = await mailDataOf(app.db, request);
  try {
    return renderMail(request.template, mailData, app.config.baseUrl);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw validationError({ body: [error.problemAt('body')] });
  }
}

async function mailDataOf(db: Database, request: PreviewRequest): Promise<MailData> {
  const { accountId, licenseId, template, shipmentUuid } = request;
  if (shipmentUuid === undefined) {
    const account = await getAccount(db, accountId);
    return sampleMailData(template.locale, {
      name: account.companyName || account.name,
      email: account.supportEmail,
      phone: account.supportPhone,
      logo: account.companyLogo,
      color: account.companyColor,
    });
  }
  const found = await getMailData(db, { accountId, licenseId, shipment: { uuid: shipmentUuid } });
  if (found === null) throw validationError({ shipment: [problemAt('shipment', 'unknown_shipment')] });
  return found.mailData;
}
