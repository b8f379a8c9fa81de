import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import { deleteSessions } from '../../db/queries/accounts/panel-sessions.js';
import {
  findPanelUser,
  insertPanelUser,
  listPanelUsers,
  lockEnrolled,
  type PanelUser,
  updatePanelUser,
} from '../../db/queries/accounts/panel-users.js';
import { isOfAccount, ROLES, type Role } from '../../domain/panel-roles.js';
import { LANGUAGES, type Language } from '../../domain/recipient-words/language.js';
import { LIMITS } from '../../lib/limits/values.js';
import { randomToken } from '../../lib/secrets.js';
import { isoAfter } from '../../lib/time.js';
import { requireAccount } from '../admin/accounts.js';
import { type ActingApp, audited } from '../admin/audited.js';
import {
  accountPageOf,
  Email,
  fieldError,
  type Given,
  Id,
  Name,
  refuse,
  requestCheck,
  takenAs,
} from '../admin/check.js';
import type { App } from '../app.js';

/** The app of a use case that makes invitations. */
export type PanelApp = ActingApp & Pick<App<'appKeys' | 'baseUrl'>, 'config'>;

const role = Type.Unsafe<Role>({ enum: [...ROLES] });
const language = Type.Optional(Type.Unsafe<Language>({ enum: [...LANGUAGES] }));
const checkNew = requestCheck({ email: Email, name: Name, role, language, account: Type.Optional(Id) });
const checkChanges = requestCheck({
  user: Type.String(),
  name: Type.Optional(Name),
  role: Type.Optional(role),
  language,
  isActive: Type.Optional(Type.Boolean()),
});
const emailTaken = takenAs('email', 'must be unique in the panel; another user has it');

/** A user with the address at which it chooses a password and a second factor, once. */
export interface Invited {
  user: PanelUser;
  invitation: string;
}

/** Creates a user of the panel and its invitation. @throws AppError `validation_failed` */
export async function createPanelUser(app: PanelApp, request: Given<typeof checkNew>): Promise<Invited> {
  const { account, ...values } = checkNew(request);
  await checkScope(app, values.role, account);
  return await audited(app, 'panel-users.create', async (db) => {
    const id = await insertPanelUser(db, { ...values, accountId: account ?? null }).catch(emailTaken);
    const result = await inviteUser({ db, config: app.config }, id);
    return { result, target: { kind: 'panel-user', id }, accountId: account ?? null, after: result.user };
  });
}

/**
 * Makes a new invitation for a user who has lost the phone or the password. The present ones work until it is accepted.
 * @throws AppError `validation_failed` for an unknown user
 */
export async function invitePanelUser(app: PanelApp, request: { user: string }): Promise<Invited> {
  return await audited(app, 'panel-users.invite', async (db) => {
    const before = await requirePanelUser({ db }, request.user);
    const { id, accountId } = before;
    const result = await inviteUser({ db, config: app.config }, id);
    return { result, target: { kind: 'panel-user', id }, accountId, before, after: result.user };
  });
}

async function inviteUser(
  { db, config }: { db: Executor; config: PanelApp['config'] },
  id: number,
): Promise<Invited> {
  const token = randomToken('');
  await updatePanelUser(db, id, {
    invitationHash: config.appKeys.hashes('invitation', token)[0],
    invitationEndsAt: isoAfter(LIMITS.panel.invitationSeconds),
  });
  const user = await requirePanelUser({ db }, String(id));
  return { user, invitation: `${config.baseUrl}/panel/invitation/${token}` };
}

/**
 * Changes the given fields. A new role or an inactive user ends its sessions. `keepsOwner`: the last owner of an account
 * stays as well. @throws AppError `validation_failed`
 */
export async function changePanelUser(
  app: ActingApp,
  request: Given<typeof checkChanges>,
  { keepsOwner = false } = {},
): Promise<PanelUser> {
  const { user: name, ...values } = checkChanges(request);
  return await audited(app, 'panel-users.change', async (db) => {
    const before = await requirePanelUser({ db }, name);
    const { id, accountId } = before;
    if (values.role !== undefined) await checkScope({ db }, values.role, accountId ?? undefined);
    if (values.isActive === false || (values.role ?? before.role) !== before.role) {
      const kept: Role[] = keepsOwner ? ['administrator', 'owner'] : ['administrator'];
      await checkStays(
        { db, actor: app.actor, kept },
        before,
        values.isActive === false ? 'isActive' : 'role',
      );
    }
    await updatePanelUser(db, id, values);
    if (values.isActive === false || (values.role ?? before.role) !== before.role)
      await deleteSessions(db, id);
    const result = await requirePanelUser({ db }, String(id));
    return { result, target: { kind: 'panel-user', id }, accountId, before, after: result };
  });
}

/**
 * Nobody shuts out themselves, and somebody stays who has a role that is kept.
 * @throws AppError `validation_failed`
 */
async function checkStays(
  { db, actor, kept }: { db: Executor; actor: ActingApp['actor']; kept: readonly Role[] },
  { email, role: has, accountId, isActive, isEnrolled }: PanelUser,
  field: 'isActive' | 'role',
): Promise<void> {
  if (actor.kind === 'panel' && actor.name === email) refuse(field, 'not_oneself');
  if (!kept.includes(has) || !isActive || !isEnrolled) return;
  const left = (await lockEnrolled(db, { role: has, accountId })).filter((one) => one !== email);
  if (left.length === 0) refuse(field, 'last_one', { role: has });
}

/** Users of the panel by ascending id, of one account or all; `email`: those whose e-mail begins so. */
export async function panelUserList(
  app: Pick<App, 'db'>,
  { email, ...page }: Given<typeof accountPageOf> & { email?: string },
): Promise<PanelUser[]> {
  return await listPanelUsers(app.db, { ...accountPageOf(page), email });
}

/** Finds a user by id or e-mail. @throws AppError `validation_failed` for an unknown one */
export async function requirePanelUser({ db }: { db: Executor }, idOrEmail: string): Promise<PanelUser> {
  const by = /^[1-9]\d{0,15}$/.test(idOrEmail) ? { id: Number(idOrEmail) } : { email: idOrEmail };
  const user = await findPanelUser(db, by);
  return (
    user ?? refuse('user', 'no_such', { be: 'be the id or e-mail of a user of the panel', given: idOrEmail })
  );
}

async function checkScope(app: { db: Executor }, role: Role, account: number | undefined): Promise<void> {
  if (isOfAccount(role) && account === undefined) throw fieldError('account', 'role_account', { role });
  if (!isOfAccount(role) && account !== undefined) {
    throw fieldError('account', 'role_of_service', { role });
  }
  if (account !== undefined) await requireAccount(app, account);
}
