import { Type } from 'typebox';
import {
  listLatestMails,
  type MailOverview,
  NOTIFICATION_STATUSES,
  type NotificationStatus,
  requeueMail,
} from '../../db/queries/mails/notification-logs.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { fieldError, type Given, Id, refuse, requestCheck } from './check.js';
import { requireLicense } from './licenses.js';

const checkWhich = requestCheck({
  account: Type.Optional(Id),
  license: Type.Optional(Type.String()),
  status: Type.Optional(Type.Unsafe<NotificationStatus>({ enum: [...NOTIFICATION_STATUSES] })),
});

/** Mails to recipients, newest first; 200 at most. @throws AppError `validation_failed` */
export async function mailList(
  app: Pick<App, 'db'>,
  request: Given<typeof checkWhich>,
): Promise<MailOverview[]> {
  const { account: accountId, license, status } = checkWhich(request);
  const licenseId = license === undefined ? undefined : (await requireLicense(app, license)).id;
  return await listLatestMails(app.db, { accountId, licenseId, status });
}

/** One mail. @throws AppError `validation_failed` for an unknown one */
export async function showMail(
  { db }: { db: Parameters<typeof listLatestMails>[0] },
  { mail }: { mail: number },
): Promise<MailOverview> {
  const [found] = await listLatestMails(db, { id: mail });
  return found ?? refuse('mail', 'no_such', { be: 'be the id of a mail', given: mail });
}

/** Sends a mail that failed or was skipped once more. @throws AppError `validation_failed` */
export async function retryMail(
  app: ActingApp & Pick<App, 'wake'>,
  { mail }: { mail: number },
): Promise<MailOverview> {
  const result = await audited(app, 'mails.retry', async (db) => {
    const before = await showMail({ db }, { mail });
    if (!(await requeueMail(db, mail)))
      throw fieldError('mail', 'must_have_failed', { status: before.status });
    const after = await showMail({ db }, { mail });
    const { accountId } = before;
    const changed = { before: { status: before.status }, after: { status: after.status } };
    return { result: after, target: { kind: 'mail', id: mail }, accountId, ...changed };
  });
  app.wake([{ kind: 'mail', licenseId: result.licenseId }]);
  return result;
}
