import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { notificationLogs, shipments } from '../../tables/index.js';
import { allOf } from '../keyset.js';
import { MAIL_STATE, type NotificationStatus } from './notification-logs.js';

const n = notificationLogs.as('n');
const s = shipments.as('s');
const MAIL = shape({
  id: n.id,
  accountId: n.accountId,
  licenseId: n.licenseId,
  shipment: s.uuid,
  event: n.event,
  ...MAIL_STATE,
});

/** A mail to a recipient, without who that is. Times: ISO 8601 UTC. */
export type MailOverview = Selected<typeof MAIL>;

/** The newest mails, 200 at most, of an account or license, or of all. For the operator. */
export async function listLatestMails(
  db: Executor,
  filter: {
    id?: number;
    accountId?: number | undefined;
    licenseId?: number | undefined;
    status?: NotificationStatus | undefined;
  },
): Promise<MailOverview[]> {
  const { sql, params } = allOf([
    ['TRUE'],
    ['n.id = ?', filter.id],
    ['n.account_id = ?', filter.accountId],
    ['n.license_id = ?', filter.licenseId],
    ['n.status = ?', filter.status],
  ]);
  return await MAIL.select(
    db,
    `FROM notification_logs n JOIN shipments s ON s.id = n.shipment_id WHERE ${sql} ORDER BY n.id DESC LIMIT 200`,
    params,
  );
}

/** Makes a mail that failed or was skipped due at once, with all its tries; false where it is neither. */
export async function requeueMail(db: Executor, id: number): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE notification_logs
     SET status = 'pending', attempts = 0, next_attempt_at = NOW(6), sending_since = NULL, last_error = NULL
     WHERE id = ? AND status IN ('failed', 'skipped')`,
    [id],
  );
  return affectedRows === 1;
}
