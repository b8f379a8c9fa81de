import type { Executor } from '../../database.js';
import { mailStops, shipments } from '../../tables/index.js';

interface MailStop {
  accountId: number;
  addressHash: Buffer;
}

/** Whether the account's mails to the address are stopped. */
export async function hasMailStop(db: Executor, stop: MailStop): Promise<boolean> {
  return (await mailStops.findOne(db, mailStops.pick('createdAt'), stop)) !== null;
}

/** Stops the account's mails to the address; again changes nothing. */
export async function insertMailStop(db: Executor, stop: MailStop): Promise<void> {
  await mailStops.insert(db, stop, { replacing: ['accountId'] });
}

/** Lets the account's mails to the address go out again. */
export async function deleteMailStop(db: Executor, { accountId, addressHash }: MailStop): Promise<void> {
  await db.run('DELETE FROM mail_stops WHERE account_id = ? AND address_hash = ?', [accountId, addressHash]);
}

/** To whom and for which account the mails of a parcel go, by its short code; null where it has no e-mail address. */
export async function findAddressee(
  db: Executor,
  shortTrackingCode: string,
): Promise<{ accountId: number; address: string } | null> {
  const found = await shipments.findOne(db, shipments.pick('accountId', 'recipientEmail'), {
    shortTrackingCode,
    accountId: undefined,
  });
  const address = found?.recipientEmail ?? '';
  return found === null || address === '' ? null : { accountId: found.accountId, address };
}
