import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  type AccountRecord,
  findAccount,
  type StoredCredentials,
  setClientCredentials,
} from '../../db/queries/accounts/accounts.js';
import {
  endCredentials,
  endOtherCredentials,
  keepCredentials,
  listOtherCredentials,
  type OtherCredentials,
} from '../../db/queries/accounts/credentials.js';
import type { AuditAction } from '../../domain/audit.js';
import { compileOnUse } from '../../lib/schema.js';
import { hashSecret, randomToken } from '../../lib/secrets.js';
import { DAY_SECONDS } from '../../lib/time.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { checked, fieldError, type Given, Id } from './check.js';

/** API credentials with the secret, shown only now. */
export interface IssuedCredentials {
  accountId: number;
  accountName: string;
  clientId: string;
  clientSecret: string;
}

type Credentials = Omit<IssuedCredentials, 'accountName'>;
type CredentialsApp = ActingApp & Pick<App<'appKey'>, 'config'>;

const keptCredentials = Type.Object(
  {
    accountId: Id,
    clientId: Type.String({ pattern: '^ci_[A-Za-z0-9_-]{8,61}$', examples: ['ci_0123456789abcdef'] }),
    clientSecret: Type.String({ 'x-secret': true, pattern: '^sk_[A-Za-z0-9_-]{43,125}$' }),
  },
  { additionalProperties: false },
);
const rotation = Type.Object(
  {
    account: Id,
    /** How long the old ones stay valid: minutes, hours or days. */
    overlap: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,3}[mhd]$', examples: ['24h'] })),
  },
  { additionalProperties: false },
);
const checkRotation = compileOnUse<Static<typeof rotation>>(rotation);
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
  app: CredentialsApp,
  request: { account: number },
): Promise<IssuedCredentials> {
  return await store(app, 'credentials.create', generate(request.account), (account) => {
    if (!hasCredentials(account)) return;
    throw fieldError('account', 'has credentials already; credentials rotate replaces them');
  });
}

/**
 * Replaces an account's credentials. The old ones become invalid at once, or after the overlap. @throws AppError
 * `validation_failed`
 */
export async function rotateCredentials(
  app: CredentialsApp,
  request: Given<Static<typeof rotation>>,
): Promise<IssuedCredentials> {
  const { account, overlap } = checked(checkRotation(), request);
  return await store(app, 'credentials.rotate', generate(account), () => undefined, overlap);
}

/** Credentials beside the current ones, without their secrets, oldest first. @throws AppError `validation_failed` */
export async function otherCredentials(
  { db }: Pick<App, 'db'>,
  request: { account: number },
): Promise<OtherCredentials[]> {
  await requireOwner(db, request.account);
  return await listOtherCredentials(db, request.account);
}

/** Ends such credentials at once. @throws AppError `validation_failed` for an unknown id */
export async function revokeCredentials(
  app: ActingApp,
  { id }: { id: number },
): Promise<{ id: number; revoked: true }> {
  return await audited(app, 'credentials.revoke', async (db) => {
    const found = await endCredentials(db, id);
    if (found === null) {
      throw fieldError(
        'id',
        `must be the id of credentials in credentials list; there are none with the id ${id}`,
      );
    }
    const { accountId, clientId, name } = found;
    const target = { kind: 'account', id: accountId };
    return { result: { id, revoked: true }, target, accountId, before: { clientId, name, secret: 'set' } };
  });
}

/** Invalidates all of an account's credentials at once. @throws AppError `validation_failed` */
export async function disableCredentials(
  app: ActingApp,
  request: { account: number },
): Promise<{ accountId: number; accountName: string; disabled: true }> {
  return await audited(app, 'credentials.disable', async (db) => {
    const account = await requireOwner(db, request.account);
    const { id: accountId, name: accountName } = account;
    await setClientCredentials(db, { accountId, ...noCredentials() });
    await endOtherCredentials(db, accountId);
    const result = { accountId, accountName, disabled: true as const };
    return { result, target: { kind: 'account', id: accountId }, accountId, before: shown(account) };
  });
}

/** Sets credentials that were created elsewhere, such as the demo's. */
export async function setCredentials(
  app: CredentialsApp,
  request: Given<Credentials>,
): Promise<IssuedCredentials> {
  return await store(app, 'credentials.set', checked(checkKept(), request));
}

function generate(accountId: number): Credentials {
  return { accountId, clientId: randomToken('ci_', 12), clientSecret: randomToken('sk_') };
}

async function store(
  app: CredentialsApp,
  action: AuditAction,
  issued: Credentials,
  check: (account: AccountRecord) => void = () => undefined,
  overlap = '',
): Promise<IssuedCredentials> {
  const { accountId, clientId, clientSecret } = issued;
  const secretHash = hashSecret(clientSecret, app.config.appKey);
  return await audited(app, action, async (db) => {
    const account = await requireOwner(db, accountId);
    check(account);
    if (overlap !== '') {
      await keepCredentials(db, { accountId, name: 'replaced', seconds: secondsOf(overlap) });
    }
    await setClientCredentials(db, { accountId, clientId, secretHash, last4: clientSecret.slice(-4) });
    return {
      result: { ...issued, accountName: account.name },
      target: { kind: 'account', id: accountId },
      accountId,
      before: shown(account),
      after: { clientId, secret: hasCredentials(account) ? 'changed' : 'set', overlap: overlap || undefined },
    };
  });
}

/** `90m`, `24h` or `7d` in seconds. */
function secondsOf(overlap: string): number {
  const unit = { m: 60, h: 3600, d: DAY_SECONDS }[overlap.slice(-1)] ?? 0;
  return Number(overlap.slice(0, -1)) * unit;
}

/** What the audit may say of an account's credentials. */
function shown(account: AccountRecord): object {
  return hasCredentials(account) ? { clientId: account.clientId, secret: 'set' } : {};
}

function hasCredentials({ clientSecretLast4 }: AccountRecord): boolean {
  return clientSecretLast4 !== '';
}

/** @throws AppError `validation_failed` for an unknown account */
async function requireOwner(db: Executor, accountId: number): Promise<AccountRecord> {
  const account = await findAccount(db, accountId);
  if (account !== null) return account;
  throw fieldError('account', `must be the id of an account; there is none with the id ${accountId}`);
}
