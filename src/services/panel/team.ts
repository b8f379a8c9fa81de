import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import { findPanelUser, type PanelUser } from '../../db/queries/accounts/panel-users.js';
import { notFound } from '../../domain/errors.js';
import type { Role } from '../../domain/panel-roles.js';
import type { ActingApp } from '../admin/audited.js';
import { Email, type Given, Id, Name, refuse, requestCheck } from '../admin/check.js';
import { changePanelUser, createPanelUser, type Invited, invitePanelUser, type PanelApp } from './users.js';

/** Roles that the owners of an account can give, the least first. */
export const TEAM_ROLES = ['staff', 'owner'] as const;

const role = Type.Unsafe<(typeof TEAM_ROLES)[number]>({ enum: [...TEAM_ROLES] });
const checkNew = requestCheck({ account: Id, email: Email, name: Name, role });

/** Creates a user of the account and its invitation. @throws AppError `validation_failed` */
export async function inviteToTeam(app: PanelApp, request: Given<typeof checkNew>): Promise<Invited> {
  return await createPanelUser(app, checkNew(request));
}

/**
 * Makes a new invitation for a user of the account who has accepted none: with one for others, an owner could sign in
 * in their name. @throws AppError `validation_failed`
 */
export async function inviteAgain(app: PanelApp, { id, isEnrolled }: PanelUser): Promise<Invited> {
  if (isEnrolled) refuse('user', 'invited_before');
  return await invitePanelUser(app, { user: String(id) });
}

/** Changes a user of an account. An owner stays. @throws AppError `validation_failed` */
export async function changeMember(
  app: ActingApp,
  { id }: PanelUser,
  changes: { name?: string | undefined; role?: Role; isActive?: boolean },
): Promise<void> {
  await changePanelUser(app, { user: String(id), ...changes }, { keepsOwner: true });
}

/** A user of the account, for good: a user's account never changes. @throws AppError `not_found` for a user of another account, or of none */
export async function requireMember(
  { db }: { db: Executor },
  { account, user }: { account: number; user: string },
): Promise<PanelUser> {
  const id = Number(user);
  const found = Number.isSafeInteger(id) ? await findPanelUser(db, { id }) : null;
  if (found?.accountId !== account) throw notFound('user');
  return found;
}
