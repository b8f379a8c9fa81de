import { type Static, Type } from 'typebox';
import type { NewTokenOwner } from '../../db/queries/accounts/access-tokens.js';
import { deleteToken, type ListedToken, listTokens } from '../../db/queries/accounts/token-list.js';
import { compileOnUse } from '../../lib/schema.js';
import { issueToken } from '../accounts/access-tokens.js';
import type { App } from '../app.js';
import { checked, fieldError, type Given, Name, Page, pageOf } from './check.js';
import { requireRecipient } from './recipients.js';
import { requireUser } from './users.js';

const owner = { user: Type.Optional(Type.String()), recipient: Type.Optional(Type.String()) };
const newToken = Type.Object({ ...owner, name: Name }, { additionalProperties: false });
const tokenPage = Type.Object({ ...owner, ...Page }, { additionalProperties: false });
const checkNew = compileOnUse<Static<typeof newToken>>(newToken);
const checkPage = compileOnUse<Static<typeof tokenPage>>(tokenPage);

/** The token's owner: a user by id or e-mail, or a recipient by id or phone. */
interface Owner {
  user?: string;
  recipient?: string;
}

/** Issues a personal access token, shown only now; earlier ones stay valid. @throws AppError `validation_failed` */
export async function issueUserToken(
  app: Pick<App, 'db'>,
  request: Given<Static<typeof newToken>>,
): Promise<{ name: string; token: string }> {
  const { name, ...whose } = checked(checkNew(), request);
  const found = await ownerOf(app, whose);
  if (found === undefined) throw fieldError('user', 'or recipient is required');
  return { name, token: await issueToken(app.db, { ...found, name }) };
}

/** Tokens without secrets, by ascending id, of one owner or all. */
export async function tokenList(
  app: Pick<App, 'db'>,
  request: Given<Static<typeof tokenPage>>,
): Promise<ListedToken[]> {
  const values = checked(checkPage(), request);
  return listTokens(app.db, { owner: await ownerOf(app, values), ...pageOf(values) });
}

/** Revokes a token at once. @throws AppError `validation_failed` for an unknown id */
export async function revokeToken(
  { db }: Pick<App, 'db'>,
  request: { id: number },
): Promise<{ id: number; revoked: true }> {
  if (await deleteToken(db, request.id)) return { id: request.id, revoked: true };
  throw fieldError('id', `must be the id of a token; there is none with the id ${request.id}`);
}

async function ownerOf(app: Pick<App, 'db'>, whose: Owner): Promise<NewTokenOwner | undefined> {
  const { user, recipient } = whose;
  if (user !== undefined && recipient !== undefined) {
    throw fieldError('recipient', 'must not be given beside user: a token has one owner');
  }
  if (user !== undefined) return { userId: (await requireUser(app, user)).id };
  if (recipient !== undefined) return { recipientId: (await requireRecipient(app, recipient)).id };
  return undefined;
}
