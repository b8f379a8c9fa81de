import { type Static, Type } from 'typebox';
import { type Executor, isDuplicateKey } from '../../db/database.js';
import {
  findUser,
  insertUser,
  listUsers,
  type UserRecord,
  updateUser,
} from '../../db/queries/accounts/users.js';
import { compileOnUse } from '../../lib/schema.js';
import type { App } from '../app.js';
import { requireAccount } from './accounts.js';
import { type ActingApp, audited } from './audited.js';
import { checked, Email, fieldError, type Given, Id, Moment, momentOf, Name, Page, pageOf } from './check.js';

const premium = { premium: Type.Optional(Type.Boolean()), premiumUntil: Type.Optional(Moment) };
const newUser = Type.Object(
  { account: Id, name: Name, email: Email, ...premium },
  { additionalProperties: false },
);
const userChanges = Type.Object(
  { user: Type.String(), name: Type.Optional(Name), email: Type.Optional(Email), ...premium },
  { additionalProperties: false },
);
const userPage = Type.Object({ account: Type.Optional(Id), ...Page }, { additionalProperties: false });
const checkNew = compileOnUse<Static<typeof newUser>>(newUser);
const checkChanges = compileOnUse<Static<typeof userChanges>>(userChanges);
const checkPage = compileOnUse<Static<typeof userPage>>(userPage);

/** Creates a user of an account. @throws AppError `validation_failed` */
export async function createUser(
  app: ActingApp,
  request: Given<Static<typeof newUser>>,
): Promise<UserRecord> {
  const { account, name, email, premium: isPremium, premiumUntil } = checked(checkNew(), request);
  await requireAccount(app, account);
  const until = momentOf('premiumUntil', premiumUntil);
  const user = {
    accountId: account,
    name,
    email,
    ...(isPremium === undefined ? {} : { isPremium }),
    ...(until === undefined ? {} : { premiumUntil: until }),
  };
  return await audited(app, 'users.create', async (db) => {
    const id = await insertUser(db, user).catch(emailTaken);
    const result = await requireUser({ db }, String(id));
    return { result, target: { kind: 'user', id }, accountId: account, after: user };
  });
}

/** Changes the given fields. @throws AppError `validation_failed` */
export async function changeUser(
  app: ActingApp,
  request: Given<Static<typeof userChanges>>,
): Promise<UserRecord> {
  const { user, premium: isPremium, premiumUntil, ...changes } = checked(checkChanges(), request);
  const until = momentOf('premiumUntil', premiumUntil);
  return await audited(app, 'users.change', async (db) => {
    const before = await requireUser({ db }, user);
    const { id, accountId } = before;
    await updateUser(db, id, {
      ...changes,
      ...(isPremium === undefined ? {} : { isPremium }),
      ...(until === undefined ? {} : { premiumUntil: until }),
    }).catch(emailTaken);
    const result = await requireUser({ db }, String(id));
    return { result, target: { kind: 'user', id }, accountId, before, after: result };
  });
}

/** Users by ascending id, of one account or all. */
export async function userList(
  app: Pick<App, 'db'>,
  request: Given<Static<typeof userPage>>,
): Promise<UserRecord[]> {
  const values = checked(checkPage(), request);
  return listUsers(app.db, { accountId: values.account, ...pageOf(values) });
}

/** Finds a user by id or e-mail. @throws AppError `validation_failed` for an unknown one */
export async function requireUser({ db }: { db: Executor }, idOrEmail: string): Promise<UserRecord> {
  const by = /^[1-9]\d{0,15}$/.test(idOrEmail) ? { id: Number(idOrEmail) } : { email: idOrEmail };
  const user = await findUser(db, by);
  if (user === null) {
    throw fieldError('user', `must be the id or e-mail of a user; there is none with ${idOrEmail}`);
  }
  return user;
}

function emailTaken(error: unknown): never {
  if (isDuplicateKey(error)) throw fieldError('email', 'must be unique among all users; another one has it');
  throw error;
}
