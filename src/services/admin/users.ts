import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  findUser,
  insertUser,
  listUsers,
  type UserRecord,
  updateUser,
} from '../../db/queries/accounts/users.js';
import type { App } from '../app.js';
import { requireAccount } from './accounts.js';
import { type ActingApp, audited } from './audited.js';
import {
  accountPageOf,
  Email,
  type Given,
  Id,
  Moment,
  momentOf,
  Name,
  refuse,
  requestCheck,
  takenAs,
} from './check.js';

const premium = { premium: Type.Optional(Type.Boolean()), premiumUntil: Type.Optional(Moment) };
const checkNew = requestCheck({ account: Id, name: Name, email: Email, ...premium });
const checkChanges = requestCheck({
  user: Type.String(),
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  ...premium,
});
const emailTaken = takenAs('email', 'must be unique among all users; another one has it');

/** Creates a user of an account. @throws AppError `validation_failed` */
export async function createUser(app: ActingApp, request: Given<typeof checkNew>): Promise<UserRecord> {
  const { account: accountId, premium: isPremium, premiumUntil: until, ...values } = checkNew(request);
  await requireAccount(app, accountId);
  const user = { accountId, ...values, isPremium, premiumUntil: momentOf('premiumUntil', until, 'end') };
  return await audited(app, 'users.create', async (db) => {
    const id = await insertUser(db, user).catch(emailTaken);
    const result = await requireUser({ db }, String(id));
    return { result, target: { kind: 'user', id }, accountId, after: user };
  });
}

/** Changes the given fields. @throws AppError `validation_failed` */
export async function changeUser(app: ActingApp, request: Given<typeof checkChanges>): Promise<UserRecord> {
  const { user, premium: isPremium, premiumUntil: until, ...values } = checkChanges(request);
  const changes = { ...values, isPremium, premiumUntil: momentOf('premiumUntil', until, 'end') };
  return await audited(app, 'users.change', async (db) => {
    const before = await requireUser({ db }, user);
    const { id, accountId } = before;
    await updateUser(db, id, changes).catch(emailTaken);
    const result = await requireUser({ db }, String(id));
    return { result, target: { kind: 'user', id }, accountId, before, after: result };
  });
}

/** Users by ascending id, of one account or all. */
export async function userList(
  app: Pick<App, 'db'>,
  request: Given<typeof accountPageOf>,
): Promise<UserRecord[]> {
  return listUsers(app.db, accountPageOf(request));
}

/** Finds a user by id or e-mail. @throws AppError `validation_failed` for an unknown one */
export async function requireUser({ db }: { db: Executor }, idOrEmail: string): Promise<UserRecord> {
  const by = /^[1-9]\d{0,15}$/.test(idOrEmail) ? { id: Number(idOrEmail) } : { email: idOrEmail };
  const user = await findUser(db, by);
  return user ?? refuse('user', 'no_such', { be: 'be the id or e-mail of a user', given: idOrEmail });
}
