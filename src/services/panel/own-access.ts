import { deleteSessions } from '../../db/queries/accounts/panel-sessions.js';
import {
  findLockedUser,
  keepUsedLicense,
  type LockedUser,
  updatePanelUser,
} from '../../db/queries/accounts/panel-users.js';
import type { AuditAction } from '../../domain/audit.js';
import { notFound } from '../../domain/errors.js';
import { isLanguage } from '../../domain/recipient-words/language.js';
import { type ActingApp, audited } from '../admin/audited.js';
import { fieldError } from '../admin/check.js';
import type { App } from '../app.js';
import { hashPassword, isPassword, newRecoveryCodes, sealTotp } from './proofs.js';
import { openSession, type Visitor } from './sessions.js';
import { checkPassword, recordWrongCode, stepOfNew, takeCode } from './sign-in.js';

type PanelApp = ActingApp & Pick<App<'appKeys'>, 'config'>;

/** The user who changes the own access, and from where. */
interface Self {
  user: Pick<LockedUser, 'id' | 'email' | 'accountId'>;
  visitor: Visitor;
}

/**
 * Gives the user another password, ends all sessions, and returns the token of a new one.
 * @throws AppError `validation_failed` for `current` or `password`
 */
export async function changeOwnPassword(
  app: PanelApp,
  self: Self,
  given: { current: string; password: string },
): Promise<string> {
  const { passwordHash } = await lockedUser(app, self);
  if (!(await isPassword(passwordHash, given.current))) throw fieldError('current', 'your_password');
  checkPassword(given.password);
  const changes = { passwordHash: await hashPassword(given.password) };
  return await changeAccess(app, self, 'panel-users.change-password', { password: 'changed' }, changes);
}

/**
 * Replaces the user's recovery codes, which are shown once, ends all sessions, and returns the token of a new one.
 * `current`: a code of the authenticator app, or one of the old recovery codes.
 * @throws AppError `validation_failed` for `current`
 */
export async function renewRecoveryCodes(
  app: PanelApp,
  self: Self,
  given: { current: string },
): Promise<{ token: string; recoveryCodes: string[] }> {
  await proveSecondFactor(app, self, given.current);
  const { codes: recoveryCodes, hashes: recoveryHashes } = newRecoveryCodes(app.config.appKeys);
  const after = { recoveryCodes: 'changed' };
  const token = await changeAccess(app, self, 'panel-users.renew-recovery-codes', after, { recoveryHashes });
  return { token, recoveryCodes };
}

/**
 * Replaces the user's authenticator, ends all sessions, and returns the token of a new one. `current`: as in
 * {@link renewRecoveryCodes}; `secret` and `code`: the new app's.
 * @throws AppError `validation_failed` for `current` or `code`
 */
export async function renewAuthenticator(
  app: PanelApp,
  self: Self,
  given: { current: string; secret: string; code: string },
): Promise<string> {
  const totpStep = stepOfNew(given);
  await proveSecondFactor(app, self, given.current);
  const changes = { totpSecret: sealTotp(given.secret, app.config.appKeys), totpStep };
  const after = { authenticator: 'changed' };
  return await changeAccess(app, self, 'panel-users.renew-authenticator', after, changes);
}

/** The user's pages are in this language from now on; nothing where it is none of ours. */
export async function chooseLanguage({ db }: Pick<App, 'db'>, id: number, language: string): Promise<void> {
  if (isLanguage(language)) await updatePanelUser(db, id, { language });
}

/** The user's next new shipment begins with this license. */
export async function rememberLicense(
  { db }: Pick<App, 'db'>,
  userId: number,
  licenseId: number,
): Promise<void> {
  await keepUsedLicense(db, { userId, licenseId });
}

/** How many recovery codes of the user are left; null for one who only signs in at the OpenID provider. */
export async function recoveryCodesLeft(app: Pick<App, 'db'>, email: string): Promise<number | null> {
  const user = await findLockedUser(app.db, email);
  return user === null || user.passwordHash === null ? null : (user.recoveryHashes?.length ?? 0);
}

async function lockedUser(app: PanelApp, { user }: Self): Promise<LockedUser> {
  const locked = await findLockedUser(app.db, user.email);
  if (locked === null) throw notFound('user');
  return locked;
}

async function proveSecondFactor(app: PanelApp, self: Self, code: string): Promise<void> {
  const user = await lockedUser(app, self);
  const taken = await takeCode(app, user, code);
  if (taken === 'right') return;
  if (taken === 'wrong') await recordWrongCode(app, user);
  throw fieldError('current', 'unused_code');
}

async function changeAccess(
  app: PanelApp,
  { user, visitor }: Self,
  action: AuditAction,
  after: object,
  changes: Parameters<typeof updatePanelUser>[2],
): Promise<string> {
  const { id, accountId } = user;
  await audited(app, action, async (db) => {
    await updatePanelUser(db, id, changes);
    await deleteSessions(db, id);
    return { result: undefined, target: { kind: 'panel-user', id }, accountId, after };
  });
  return await openSession(app, id, visitor);
}
