import type { Executor } from '../../db/database.js';
import {
  findRecipient,
  insertRecipient,
  listRecipients,
  type RecipientRecord,
} from '../../db/queries/shipments/recipients.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { type Given, Name, pageOf, refuse, requestCheck, takenAs } from './check.js';

const checkNew = requestCheck({ name: Name, phone: Name });

/** Registers a user of the recipient app. @throws AppError `validation_failed` */
export async function createRecipient(
  app: ActingApp,
  request: Given<typeof checkNew>,
): Promise<RecipientRecord> {
  const values = checkNew(request);
  return await audited(app, 'recipients.create', async (db) => {
    const result = await insertRecipient(db, values);
    // Who the recipient is must not outlive the recipient's data.
    return { result, target: { kind: 'recipient', id: result.id }, accountId: null, after: {} };
  }).catch(takenAs('phone', 'must be unique; another recipient has it'));
}

/** Recipients by ascending id. */
export async function recipientList(
  app: Pick<App, 'db'>,
  request: Given<typeof pageOf>,
): Promise<RecipientRecord[]> {
  return listRecipients(app.db, pageOf(request));
}

/**
 * Finds a recipient by id or exact phone: digits that start with no zero are an id, `phone:17` is a phone.
 * @throws AppError `validation_failed` for an unknown one
 */
export async function requireRecipient(
  { db }: { db: Executor },
  phoneOrId: string,
): Promise<RecipientRecord> {
  const isId = /^[1-9]\d{0,15}$/.test(phoneOrId);
  const by = isId ? { id: Number(phoneOrId) } : { phone: phoneOrId.replace(/^phone:/, '') };
  return (
    (await findRecipient(db, by)) ??
    refuse('recipient', 'no_such', { be: 'be the id or phone of a recipient', given: phoneOrId })
  );
}
