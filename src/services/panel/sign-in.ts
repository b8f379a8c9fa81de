import { deleteSessions } from '../../db/queries/accounts/panel-sessions.js';
import {
  findLockedUser,
  findPanelUser,
  giveCodeTryBack,
  type LockedUser,
  type PanelUser,
  takeCodeTry,
  takeInvitation,
  takeRecoveryHash,
  takeTotpStep,
  updatePanelUser,
} from '../../db/queries/accounts/panel-users.js';
import { notFound } from '../../domain/errors.js';
import type { Language } from '../../domain/recipient-words/language.js';
import { LIMITS } from '../../lib/limits/values.js';
import { panelSignIns } from '../../lib/metrics.js';
import { type ActingApp, audited } from '../admin/audited.js';
import { fieldError } from '../admin/check.js';
import type { App } from '../app.js';
import {
  hashPassword,
  isPassword,
  isRecoveryCode,
  isTotpSecret,
  newRecoveryCodes,
  openTotp,
  sealTotp,
  totpStepOf,
} from './proofs.js';
import { openSession, type Visitor } from './sessions.js';

type PanelApp = Pick<App<'appKeys'>, 'db' | 'config'>;

/** Characters of a password, at least and at most. */
export const LEAST_PASSWORD = 12;
export const MOST_PASSWORD = 200;

/** The outcome of a try to sign in. `no more codes`: too many were wrong today, and only a recovery code helps. */
type SignedIn = { token: string } | { why: 'wrong' | 'no more codes' };

/**
 * Opens a session for the right e-mail, password and code of the authenticator app, or recovery code, and returns its
 * token. Each code signs in once. Who has the password and guesses codes leaves rows in the audit.
 */
export async function signIn(
  app: PanelApp,
  given: { email: string; password: string; code: string },
  visitor: Visitor,
): Promise<SignedIn> {
  const user = await findLockedUser(app.db, given.email.trim());
  const isRight = await isPassword(user?.passwordHash ?? null, given.password.slice(0, MOST_PASSWORD));
  if (user === null || !isRight) {
    panelSignIns.inc({ outcome: 'wrong' });
    return { why: 'wrong' };
  }
  const taken = await takeCode(app, user, given.code);
  if (taken === 'right') return { token: await openRecorded(app, user, visitor, 'password') };
  panelSignIns.inc({ outcome: taken === 'wrong' ? 'wrong_code' : 'no_more_codes' });
  if (taken === 'wrong') await recordWrongCode(acting(app, user, visitor), user);
  return { why: taken };
}

/**
 * Opens a session for the user with an e-mail that an OpenID provider has proven, and returns its token; null when
 * there is no such user. A first invitation that is open counts as accepted: then `language` becomes the user's.
 */
export async function signInProven(
  app: PanelApp,
  { email, language }: { email: string; language: Language },
  visitor: Visitor,
): Promise<string | null> {
  const user = await findLockedUser(app.db, email);
  if (user === null) {
    panelSignIns.inc({ outcome: 'wrong' });
    return null;
  }
  if (!user.isEnrolled) {
    await audited(acting(app, user, visitor), 'panel-users.accept-invitation', async (tx) => {
      await updatePanelUser(tx, user.id, { invitationHash: null, invitationEndsAt: null, language });
      return { result: undefined, ...aboutUser(user), after: { by: 'provider' } };
    });
  }
  return await openRecorded(app, user, visitor, 'provider');
}

async function openRecorded(
  app: PanelApp,
  user: LockedUser,
  visitor: Visitor,
  by: 'password' | 'provider',
): Promise<string> {
  const token = await audited(acting(app, user, visitor), 'panel-users.sign-in', async (tx) => {
    const result = await openSession({ db: tx, config: app.config }, user.id, visitor);
    return { result, ...aboutUser(user), after: { by } };
  });
  panelSignIns.inc({ outcome: 'in' });
  return token;
}

/** Records that somebody knew the password, and not the code. */
export async function recordWrongCode(app: ActingApp, user: Audited): Promise<void> {
  await audited(app, 'panel-users.wrong-code', async () => ({ result: undefined, ...aboutUser(user) }));
}

type Audited = Pick<LockedUser, 'id' | 'accountId'>;

function aboutUser({ id, accountId }: Audited) {
  return { target: { kind: 'panel-user', id }, accountId };
}

/** The user as who acts, before there is a session. */
function acting(app: PanelApp, { email }: Pick<LockedUser, 'email'>, { address }: Visitor): ActingApp {
  return { db: app.db, actor: { kind: 'panel', name: email, origin: address } };
}

/**
 * Whether the code is right: of the authenticator app, or a recovery code. Each is taken once. `no more codes`: the
 * day's number of wrong ones is used up, and only recovery codes are looked at.
 */
export async function takeCode(
  app: PanelApp,
  user: LockedUser,
  code: string,
): Promise<'right' | 'wrong' | 'no more codes'> {
  const { id, totpSecret } = user;
  const { appKeys } = app.config;
  const isUsed = (hash: string) => isRecoveryCode(hash, code, appKeys);
  if (user.recoveryHashes?.some(isUsed)) {
    return (await app.db.transaction((tx) => takeRecoveryHash(tx, id, isUsed))) ? 'right' : 'wrong';
  }
  if (totpSecret === null) return 'wrong';
  const secret = openTotp(totpSecret, appKeys);
  if (!(await takeCodeTry(app.db, id, LIMITS.panel.wrongCodesOfUser))) return 'no more codes';
  const step = totpStepOf(secret, code);
  if (step === null || !(await takeTotpStep(app.db, id, step))) return 'wrong';
  await giveCodeTryBack(app.db, id);
  return 'right';
}

/** The user of an open invitation. @throws AppError `not_found` */
export async function invitedUser(app: PanelApp, token: string): Promise<PanelUser> {
  const user = await findPanelUser(app.db, { invitationHashes: hashesOf(app, token) });
  if (user === null) throw notFound('invitation');
  return user;
}

function hashesOf({ config }: PanelApp, token: string): readonly Buffer[] {
  return config.appKeys.hashes('invitation', token);
}

/**
 * Accepts an invitation: sets password and second factor, ends all sessions, opens one, and returns its token and the
 * recovery codes, which are shown once. @throws AppError `validation_failed`, `not_found`
 */
export async function acceptInvitation(
  app: PanelApp,
  given: { token: string; password: string; secret: string; code: string; language: Language },
  visitor: Visitor,
): Promise<{ token: string; recoveryCodes: string[] }> {
  const user = await invitedUser(app, given.token);
  checkPassword(given.password);
  const totpStep = stepOfNew(given);
  const { codes, hashes } = newRecoveryCodes(app.config.appKeys);
  const passwordHash = await hashPassword(given.password);
  const token = await audited(acting(app, user, visitor), 'panel-users.accept-invitation', async (tx) => {
    const isTaken = await takeInvitation(tx, {
      invitationHashes: hashesOf(app, given.token),
      passwordHash,
      totpSecret: sealTotp(given.secret, app.config.appKeys),
      totpStep,
      language: given.language,
      recoveryHashes: hashes,
      wrongCodes: 0,
    });
    if (!isTaken) throw notFound('invitation');
    await deleteSessions(tx, user.id);
    const result = await openSession({ db: tx, config: app.config }, user.id, visitor);
    return { result, ...aboutUser(user), after: { by: 'password' } };
  });
  return { token, recoveryCodes: codes };
}

/** The time step of a new authenticator app's code. @throws AppError `validation_failed` for `code` */
export function stepOfNew({ secret, code }: { secret: string; code: string }): number {
  const step = isTotpSecret(secret) ? totpStepOf(secret, code) : null;
  if (step === null) throw fieldError('code', 'app_code');
  return step;
}

/** @throws AppError `validation_failed` for `password` */
export function checkPassword(password: string): void {
  if (password.length < LEAST_PASSWORD) {
    throw fieldError('password', 'min_length', { limit: LEAST_PASSWORD });
  }
  if (password.length > MOST_PASSWORD) {
    throw fieldError('password', 'max_length', { limit: MOST_PASSWORD });
  }
}
