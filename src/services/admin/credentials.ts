import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  endAllCredentials,
  endCredentials,
  endCredentialsLater,
  insertCredentials,
  type ListedCredentials,
  listCredentials,
  lockCredentials,
  type NewCredentials,
  replaceSecret,
} from '../../db/queries/accounts/credentials.js';
import { digestOf } from '../../lib/digest.js';
import { LIMITS } from '../../lib/limits/values.js';
import { randomToken } from '../../lib/secrets.js';
import { DAY_SECONDS, nowIso } from '../../lib/time.js';
import type { App } from '../app.js';
import { requireAccount } from './accounts.js';
import { type ActingApp, audited } from './audited.js';
import { fieldError, type Given, Id, Moment, momentOf, Name, requestCheck } from './check.js';

/** API credentials with the secret, shown only now. */
export interface IssuedCredentials {
  accountId: number;
  accountName: string;
  name: string;
  clientId: string;
  clientSecret: string;
  isReadOnly: boolean;
  /** ISO 8601 UTC; null where they do not end by themselves. */
  expiresAt: string | null;
}

type CredentialsApp = ActingApp & Pick<App<'appKeys'>, 'config'>;

const { credentials: MOST, overlapHours } = LIMITS.callers;
const ClientId = Type.String({ pattern: '^ci_[A-Za-z0-9_-]{8,61}$', examples: ['ci_0123456789abcdef'] });
const checkNew = requestCheck({
  account: Id,
  name: Type.Optional(Name),
  expires: Type.Optional(Moment),
  readOnly: Type.Optional(Type.Boolean()),
});
/** `account`: whose they have to be. */
const named = { clientId: ClientId, account: Type.Optional(Id) };
const checkRotation = requestCheck({
  ...named,
  /** How long the old ones stay valid: minutes, hours, days, or not at all. */
  overlap: Type.Optional(Type.String({ pattern: '^(none|[1-9]\\d{0,3}[mhd])$', examples: ['24h', 'none'] })),
  expires: Type.Optional(Moment),
});
const checkRevocation = requestCheck(named);
const checkKept = requestCheck({
  accountId: Id,
  clientId: ClientId,
  clientSecret: Type.String({ 'x-secret': true, pattern: '^sk_[A-Za-z0-9_-]{43,125}$' }),
});

/** Adds credentials to an account: named `main`, without an end, for everything. @throws AppError `validation_failed` */
export async function createCredentials(
  app: CredentialsApp,
  request: Given<typeof checkNew>,
): Promise<IssuedCredentials> {
  const { account: accountId, name = 'main', expires, readOnly = false } = checkNew(request);
  const expiresAt = futureOf(expires) ?? null;
  return await audited(app, 'credentials.create', async (db) => {
    const result = await issue(db, app, { accountId, name, isReadOnly: readOnly, expiresAt });
    return { result, target: { kind: 'account', id: accountId }, accountId, after: shown(result) };
  });
}

/**
 * Replaces credentials by new ones with their name, right and, unless another is given, end. The old ones work for 24
 * hours more, or for the overlap. @throws AppError `validation_failed`
 */
export async function rotateCredentials(
  app: CredentialsApp,
  request: Given<typeof checkRotation>,
): Promise<IssuedCredentials> {
  const { clientId, account, overlap = `${overlapHours}h`, expires } = checkRotation(request);
  const until = futureOf(expires);
  return await audited(app, 'credentials.rotate', async (db) => {
    const old = await requireCredentials(db, clientId, account);
    const { accountId, name, isReadOnly } = old;
    if (overlap === 'none') await endCredentials(db, old.id);
    else await endCredentialsLater(db, { id: old.id, seconds: secondsOf(overlap) });
    const expiresAt = until === undefined ? old.expiresAt : until;
    const result = await issue(db, app, { accountId, name, isReadOnly, expiresAt });
    const target = { kind: 'account', id: accountId };
    const after = { ...shown(result), secret: 'changed', overlap };
    return { result, target, accountId, before: shown(old), after };
  });
}

/** Valid credentials of an account, without their secrets, oldest first. @throws AppError `validation_failed` */
export async function credentialList(
  { db }: Pick<App, 'db'>,
  request: { account: number },
): Promise<ListedCredentials[]> {
  await requireAccount({ db }, request.account);
  return await listCredentials(db, request.account);
}

/** Ends credentials at once. @throws AppError `validation_failed` for an unknown client id */
export async function revokeCredentials(
  app: ActingApp,
  request: Given<typeof checkRevocation>,
): Promise<{ clientId: string; revoked: true }> {
  const { clientId, account } = checkRevocation(request);
  return await audited(app, 'credentials.revoke', async (db) => {
    const found = await requireCredentials(db, clientId, account);
    await endCredentials(db, found.id);
    const { accountId } = found;
    const target = { kind: 'account', id: accountId };
    return { result: { clientId, revoked: true }, target, accountId, before: shown(found) };
  });
}

/** Ends all of an account's credentials at once. @throws AppError `validation_failed` */
export async function disableCredentials(
  app: ActingApp,
  request: { account: number },
): Promise<{ accountId: number; accountName: string; disabled: true }> {
  return await audited(app, 'credentials.disable', async (db) => {
    const { id: accountId, name: accountName } = await requireAccount({ db }, request.account);
    const ended = await listCredentials(db, accountId);
    await endAllCredentials(db, accountId);
    const result = { accountId, accountName, disabled: true as const };
    const before = { clientIds: ended.map(({ clientId }) => clientId) };
    return { result, target: { kind: 'account', id: accountId }, accountId, before };
  });
}

/** Sets credentials that were created elsewhere, such as the demo's. @throws AppError `validation_failed` */
export async function setCredentials(app: CredentialsApp, request: Given<typeof checkKept>): Promise<void> {
  const { accountId, clientId, clientSecret } = checkKept(request);
  await audited(app, 'credentials.set', async (db) => {
    await requireAccount({ db }, accountId, 'accountId');
    const values = { accountId, name: 'main', isReadOnly: false, expiresAt: null };
    const stored = { ...values, clientId, ...storedSecret(clientSecret, app) };
    const target = { kind: 'account', id: accountId };
    const isChanged = await replaceSecret(db, stored);
    const before = isChanged ? {} : shown(stored);
    return { result: undefined, target, accountId, before, after: shown(stored) };
  });
}

/** @throws AppError `validation_failed` for an unknown account, or one that has too many */
async function issue(
  db: Executor,
  app: Pick<CredentialsApp, 'config'>,
  values: Pick<NewCredentials, 'accountId' | 'name' | 'isReadOnly' | 'expiresAt'>,
): Promise<IssuedCredentials> {
  const { name: accountName } = await requireAccount({ db }, values.accountId);
  if ((await listCredentials(db, values.accountId)).length >= MOST) {
    throw fieldError('account', 'most_credentials', { limit: MOST });
  }
  const clientId = randomToken('ci_', 12);
  const clientSecret = randomToken('sk_');
  await insertCredentials(db, { ...values, clientId, ...storedSecret(clientSecret, app) });
  return { ...values, accountName, clientId, clientSecret };
}

function storedSecret(clientSecret: string, { config }: Pick<CredentialsApp, 'config'>) {
  return {
    clientSecretHash: config.appKeys.seal('client secret', digestOf(clientSecret)),
    clientSecretLast4: clientSecret.slice(-4),
  };
}

/** @throws AppError `validation_failed` for a moment that has passed */
function futureOf(expires: string | null | undefined): string | null | undefined {
  const at = momentOf('expires', expires, 'end');
  if (typeof at === 'string' && at <= nowIso()) throw fieldError('expires', 'in_future');
  return at;
}

/** `90m`, `24h` or `7d` in seconds. */
function secondsOf(overlap: string): number {
  const unit = { m: 60, h: 3600, d: DAY_SECONDS }[overlap.slice(-1)] ?? 0;
  return Number(overlap.slice(0, -1)) * unit;
}

/** Credentials as the audit may show them. */
function shown(credentials: Pick<ListedCredentials, 'clientId' | 'name' | 'isReadOnly' | 'expiresAt'>) {
  const { clientId, name, isReadOnly, expiresAt } = credentials;
  return { clientId, name, isReadOnly, expiresAt, secret: 'set' };
}

/** @throws AppError `validation_failed` for an unknown client id, or one of another account */
async function requireCredentials(
  tx: Executor,
  clientId: string,
  account: number | undefined,
): Promise<ListedCredentials> {
  const found = await lockCredentials(tx, clientId);
  if (found !== null && (account === undefined || account === found.accountId)) return found;
  throw fieldError('clientId', 'no_credentials', { given: clientId });
}
