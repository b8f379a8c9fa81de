import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  deleteToken,
  findListedToken,
  type ListedToken,
  listTokens,
  type NewTokenOwner,
} from '../../db/queries/accounts/access-tokens.js';
import { issueToken } from '../accounts/access-tokens.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { fieldError, type Given, Name, Page, pageOf, refuse, requestCheck } from './check.js';
import { requireRecipient } from './recipients.js';
import { requireUser } from './users.js';

/** A user by id or e-mail, or a recipient by id or phone. */
const owner = { user: Type.Optional(Type.String()), recipient: Type.Optional(Type.String()) };
const checkNew = requestCheck({ ...owner, name: Name });
const checkPage = requestCheck({ ...owner, ...Page });

/** Issues a personal access token, shown only now; earlier ones stay valid. @throws AppError `validation_failed` */
export async function issueUserToken(
  app: ActingApp,
  request: Given<typeof checkNew>,
): Promise<{ name: string; token: string }> {
  const { name, ...whose } = checkNew(request);
  const found = (await ownerOf(app, whose)) ?? refuse('user', 'user_or_recipient');
  return await audited(app, 'tokens.issue', async (db) => {
    const token = await issueToken(db, { ...found.owner, name });
    const target = { kind: 'token', id: Number.parseInt(token, 10) };
    return { result: { name, token }, target, accountId: found.accountId, after: { ...found.owner, name } };
  });
}

/** Tokens without secrets, by ascending id, of one owner or all. */
export async function tokenList(
  app: Pick<App, 'db'>,
  request: Given<typeof checkPage>,
): Promise<ListedToken[]> {
  const { user, recipient, ...page } = checkPage(request);
  const found = await ownerOf(app, { user, recipient });
  return listTokens(app.db, { ...found?.owner, ...pageOf(page) });
}

/** Revokes a token at once. @throws AppError `validation_failed` for an unknown id */
export async function revokeToken(
  app: ActingApp,
  { id }: { id: number },
): Promise<{ id: number; revoked: true }> {
  return await audited(app, 'tokens.revoke', async (db) => {
    const token = await findListedToken(db, id);
    if (token === null || !(await deleteToken(db, id))) {
      throw fieldError('id', 'no_such', { be: 'be the id of a token', given: `the id ${id}` });
    }
    const { userId, recipientId, name } = token;
    const accountId = userId === null ? null : (await requireUser({ db }, String(userId))).accountId;
    const before = { userId, recipientId, name };
    return { result: { id, revoked: true }, target: { kind: 'token', id }, accountId, before };
  });
}

/** The owner, and the account of a user. */
async function ownerOf(
  app: { db: Executor },
  { user, recipient }: { user?: string | undefined; recipient?: string | undefined },
): Promise<{ owner: NewTokenOwner; accountId: number | null } | undefined> {
  if (user !== undefined && recipient !== undefined) {
    throw fieldError('recipient', 'one_owner');
  }
  if (user !== undefined) {
    const { id: userId, accountId } = await requireUser(app, user);
    return { owner: { userId }, accountId };
  }
  if (recipient !== undefined) {
    return { owner: { recipientId: (await requireRecipient(app, recipient)).id }, accountId: null };
  }
  return undefined;
}
