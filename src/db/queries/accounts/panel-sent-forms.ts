import type { Executor } from '../../database.js';
import type { Selected } from '../../selection.js';
import { panelSentForms } from '../../tables/index.js';

/** Names a form that a user has sent. */
interface FormName {
  userId: number;
  formKey: Buffer;
}

/** A request's right to carry a form out. `claim`: 16 random bytes; `seconds`: until another request may take it. */
interface FormClaim extends FormName {
  claim: Buffer;
  seconds: number;
}

const SENT = panelSentForms.pick('contentHash', 'answer');

/** A form that was sent. `answer`: null while it is carried out. */
export type SentFormRecord = Selected<typeof SENT>;

/** Claims a form that nobody has sent, or whose claim has ended without an answer; false where there is none to take. */
export async function claimForm(
  db: Executor,
  { userId, formKey, claim, seconds }: FormClaim,
  contentHash: Buffer,
): Promise<boolean> {
  const inserted = await db.run(
    `INSERT INTO panel_sent_forms (user_id, form_key, content_hash, claim, claimed_until)
     VALUES (?, ?, ?, ?, NOW(6) + INTERVAL ? SECOND) ON DUPLICATE KEY UPDATE user_id = user_id`,
    [userId, formKey, contentHash, claim, seconds],
  );
  if (inserted.affectedRows > 0) return true;
  const taken = await db.run(
    `UPDATE panel_sent_forms SET content_hash = ?, claim = ?, claimed_until = NOW(6) + INTERVAL ? SECOND
     WHERE user_id = ? AND form_key = ? AND answer IS NULL AND claimed_until <= NOW(6)`,
    [contentHash, claim, seconds, userId, formKey],
  );
  return taken.affectedRows > 0;
}

/** Keeps a claim for longer. */
export async function renewClaim(
  db: Executor,
  { userId, formKey, claim, seconds }: FormClaim,
): Promise<void> {
  await db.run(
    `UPDATE panel_sent_forms SET claimed_until = NOW(6) + INTERVAL ? SECOND
     WHERE user_id = ? AND form_key = ? AND claim = ?`,
    [seconds, userId, formKey, claim],
  );
}

/** The form that was sent; null when none was, or when it is free again. */
export async function findSentForm(db: Executor, name: FormName): Promise<SentFormRecord | null> {
  return await panelSentForms.findOne(db, SENT, name);
}

/** Ends a claim with the form's answer, which takes its place. */
export async function keepAnswer(
  db: Executor,
  { userId, formKey, claim }: Omit<FormClaim, 'seconds'>,
  answer: Buffer,
): Promise<void> {
  await panelSentForms.update(db, { userId, formKey, claim }, { answer });
}

/** Ends a claim without an answer: the form may be sent again. */
export async function freeForm(
  db: Executor,
  { userId, formKey, claim }: Omit<FormClaim, 'seconds'>,
): Promise<void> {
  await db.run('DELETE FROM panel_sent_forms WHERE user_id = ? AND form_key = ? AND claim = ?', [
    userId,
    formKey,
    claim,
  ]);
}

/** Deletes forms that were sent longer ago than `seconds`, `limit` at most; returns the number. */
export async function deleteOldForms(db: Executor, seconds: number, limit: number): Promise<number> {
  const { affectedRows } = await db.run(
    'DELETE FROM panel_sent_forms WHERE created_at < NOW(6) - INTERVAL ? SECOND ORDER BY created_at LIMIT ?',
    [seconds, limit],
  );
  return affectedRows;
}
