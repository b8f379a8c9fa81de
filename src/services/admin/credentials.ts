import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  findAccount,
  type StoredCredentials,
  setClientCredentials,
} from '../../db/queries/accounts/accounts.js';
import { compileOnUse } from '../../lib/schema.js';
import { hashSecret, randomToken } from '../../lib/secrets.js';
import type { App } from '../app.js';
import { checked, fieldError, type Given, Id } from './check.js';

/** API credentials with the secret, shown only now. */
export interface IssuedCredentials {
  accountId: number;
  clientId: string;
  clientSecret: string;
}

const keptCredentials = Type.Object(
  {
    accountId: Id,
    clientId: Type.String({ pattern: '^ci_[A-Za-z0-9_-]{8,61}$' }),
    clientSecret: Type.String({ pattern: '^sk_[A-Za-z0-9_-]{43,125}$' }),
  },
  { additionalProperties: false },
);
const checkKept = compileOnUse<Static<typeof keptCredentials>>(keptCredentials);

/** Random credentials without a known secret: those of an account before creation and after disabling. */
export function noCredentials(): StoredCredentials {
  return { clientId: randomToken('ci_', 12), secretHash: randomBytes(32), last4: '' };
}

/**
 * Creates an account's credentials. @throws AppError `validation_failed` for an unknown account or one that has
 * some
 */
export async function createCredentials(
  app: Pick<App<'appKey'>, 'db' | 'config'>,
  request: { account: number },
): Promise<IssuedCredentials> {
  if (await hasCredentials(app, request.account)) {
    throw fieldError('account', 'has credentials already; credentials rotate replaces them');
  }
  return store(app, generate(request.account));
}

/** Replaces an account's credentials; the old ones become invalid at once. @throws AppError `validation_failed` */
export async function rotateCredentials(
  app: Pick<App<'appKey'>, 'db' | 'config'>,
  request: { account: number },
): Promise<IssuedCredentials> {
  return store(app, generate(request.account));
}

/** Invalidates an account's credentials at once. @throws AppError `validation_failed` */
export async function disableCredentials(
  app: Pick<App, 'db'>,
  request: { account: number },
): Promise<{ accountId: number; disabled: true }> {
  await hasCredentials(app, request.account);
  await setClientCredentials(app.db, { accountId: request.account, ...noCredentials() });
  return { accountId: request.account, disabled: true };
}

/** Sets credentials that were created elsewhere, such as the demo's. */
export async function setCredentials(
  app: Pick<App<'appKey'>, 'db' | 'config'>,
  request: Given<IssuedCredentials>,
): Promise<IssuedCredentials> {
  return store(app, checked(checkKept(), request));
}

function generate(accountId: number): IssuedCredentials {
  return { accountId, clientId: randomToken('ci_', 12), clientSecret: randomToken('sk_') };
}

async function store(
  { db, config }: Pick<App<'appKey'>, 'db' | 'config'>,
  issued: IssuedCredentials,
): Promise<IssuedCredentials> {
  const { accountId, clientId, clientSecret } = issued;
  await hasCredentials({ db }, accountId);
  const secretHash = hashSecret(clientSecret, config.appKey);
  await setClientCredentials(db, { accountId, clientId, secretHash, last4: clientSecret.slice(-4) });
  return issued;
}

/** @throws AppError `validation_failed` for an unknown account */
async function hasCredentials(app: Pick<App, 'db'>, accountId: number): Promise<boolean> {
  const account = await findAccount(app.db, accountId);
  if (account === null) throw noAccount(accountId);
  return account.clientSecretLast4 !== '';
}

function noAccount(accountId: number) {
  return fieldError('account', `must be the id of an account; there is none with the id ${accountId}`);
}
