import { deleteSessions } from '../../db/queries/accounts/panel-sessions.js';
import {
  findLockedUser,
  findPanelUser,
  type LockedUser,
  type PanelUser,
  takeInvitation,
  takeRecoveryHash,
  takeTotpStep,
  updatePanelUser,
} from '../../db/queries/accounts/panel-users.js';
import { notFound } from '../../domain/errors.js';
import type { Language } from '../../domain/recipient-words/language.js';
import { hashSecret } from '../../lib/secrets.js';
import { fieldError } from '../admin/check.js';
import type { App } from '../app.js';
import {
  hashPassword,
  isPassword,
  isTotpSecret,
  newRecoveryCodes,
  openTotp,
  recoveryHash,
  sealTotp,
  totpStepOf,
} from './proofs.js';
import { openSession, type Visitor } from './sessions.js';

type PanelApp = Pick<App<'appKey'>, 'db' | 'config'>;

/** Characters of a password, at least and at most. */
export const LEAST_PASSWORD = 12;
export const MOST_PASSWORD = 200;

/**
 * Opens a session for the right e-mail, password and code of the authenticator app, or recovery code, and returns its
 * token; null when one of them is wrong. Each code signs in once.
 */
export async function signIn(
  app: PanelApp,
  given: { email: string; password: string; code: string },
  visitor: Visitor,
): Promise<string | null> {
  const user = await findLockedUser(app.db, given.email.trim());
  const isRight = await isPassword(user?.passwordHash ?? null, given.password.slice(0, MOST_PASSWORD));
  if (user === null || !isRight || !(await takeCode(app, user, given.code))) return null;
  return await openSession(app, user.id, visitor);
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
  if (user === null) return null;
  if (!user.isEnrolled) {
    await updatePanelUser(app.db, user.id, { invitationHash: null, invitationEndsAt: null, language });
  }
  return await openSession(app, user.id, visitor);
}

/** Whether the code is right: of the authenticator app, or a recovery code. Each is taken once. */
export async function takeCode(app: PanelApp, user: LockedUser, code: string): Promise<boolean> {
  const { appKey } = app.config;
  if (user.totpSecret === null) return false;
  const step = totpStepOf(openTotp(user.totpSecret, appKey), code);
  if (step !== null) return await takeTotpStep(app.db, user.id, step);
  const hash = recoveryHash(code, appKey);
  return await app.db.transaction((tx) => takeRecoveryHash(tx, user.id, hash));
}

/** The user of an open invitation. @throws AppError `not_found` */
export async function invitedUser(app: PanelApp, token: string): Promise<PanelUser> {
  const invitationHash = hashSecret(token, app.config.appKey);
  const user = await findPanelUser(app.db, { invitationHash });
  if (user === null) throw notFound('invitation');
  return user;
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
  const { codes, hashes } = newRecoveryCodes(app.config.appKey);
  const isTaken = await takeInvitation(app.db, {
    invitationHash: hashSecret(given.token, app.config.appKey),
    passwordHash: await hashPassword(given.password),
    totpSecret: sealTotp(given.secret, app.config.appKey),
    totpStep,
    language: given.language,
    recoveryHashes: hashes,
  });
  if (!isTaken) throw notFound('invitation');
  await deleteSessions(app.db, user.id);
  return { token: await openSession(app, user.id, visitor), recoveryCodes: codes };
}

/** The time step of a new authenticator app's code. @throws AppError `validation_failed` for `code` */
export function stepOfNew({ secret, code }: { secret: string; code: string }): number {
  const step = isTotpSecret(secret) ? totpStepOf(secret, code) : null;
  if (step === null) throw fieldError('code', 'must be the six digits that the authenticator app shows now');
  return step;
}

/** @throws AppError `validation_failed` for `password` */
export function checkPassword(password: string): void {
  if (password.length < LEAST_PASSWORD) {
    throw fieldError('password', `must have at least ${LEAST_PASSWORD} characters`);
  }
  if (password.length > MOST_PASSWORD) {
    throw fieldError('password', `must have at most ${MOST_PASSWORD} characters`);
  }
}
