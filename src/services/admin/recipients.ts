import { type Static, Type } from 'typebox';
import { type Executor, isDuplicateKey } from '../../db/database.js';
import {
  findRecipient,
  insertRecipient,
  listRecipients,
  type RecipientRecord,
} from '../../db/queries/shipments/recipients.js';
import { compileOnUse } from '../../lib/schema.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { checked, fieldError, type Given, Name, Page, pageOf } from './check.js';

const newRecipient = Type.Object({ name: Name, phone: Name }, { additionalProperties: false });
const recipientPage = Type.Object(Page, { additionalProperties: false });
const checkNew = compileOnUse<Static<typeof newRecipient>>(newRecipient);
const checkPage = compileOnUse<Static<typeof recipientPage>>(recipientPage);

/** Registers a user of the recipient app. @throws AppError `validation_failed` */
export async function createRecipient(
  app: ActingApp,
  request: Given<Static<typeof newRecipient>>,
): Promise<RecipientRecord> {
  const values = checked(checkNew(), request);
  return await audited(app, 'recipients.create', async (db) => {
    const result = await insertRecipient(db, values);
    // Who the recipient is must not outlive the recipient's data.
    return { result, target: { kind: 'recipient', id: result.id }, accountId: null, after: {} };
  }).catch((error: unknown): never => {
    if (isDuplicateKey(error)) throw fieldError('phone', 'must be unique; another recipient has it');
    throw error;
  });
}

/** Recipients by ascending id. */
export async function recipientList(
  app: Pick<App, 'db'>,
  request: Given<Static<typeof recipientPage>>,
): Promise<RecipientRecord[]> {
  return listRecipients(app.db, pageOf(checked(checkPage(), request)));
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
  const recipient = await findRecipient(db, by);
  if (recipient === null) {
    throw fieldError('recipient', `must be the id or phone of a recipient; there is none with ${phoneOrId}`);
  }
  return recipient;
}
