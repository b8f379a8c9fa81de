import type { Executor } from '../../database.js';
import type { Selected } from '../../selection.js';
import { users } from '../../tables/index.js';
import type { ChangesOf } from '../../tables/table.js';
import { type Condition, type IdPage, selectAfterId } from '../keyset.js';

/** A new user; omitted fields get the column's default. */
type NewUser = Pick<UserRecord, 'accountId' | 'name' | 'email'> &
  Pick<ChangesOf<typeof users>, 'isPremium' | 'premiumUntil'>;

const USER = users.pick(
  'id',
  'accountId',
  'name',
  'email',
  'isPremium',
  'premiumUntil',
  'createdAt',
  'updatedAt',
);

/** A merchant user without password and remember token. Timestamps: ISO 8601 UTC with microseconds. `email`: unique among all users; `premiumUntil`: null means never. */
export type UserRecord = Selected<typeof USER>;

/** Inserts a user and gives its id. @throws DatabaseError a duplicate when the e-mail is taken */
export async function insertUser(db: Executor, user: NewUser): Promise<number> {
  return await users.insert(db, user);
}

/** Changes the given fields. @throws DatabaseError as {@link insertUser} */
export async function updateUser(
  db: Executor,
  userId: number,
  changes: Partial<Omit<NewUser, 'accountId'>>,
): Promise<void> {
  await users.update(db, { id: userId, accountId: undefined }, changes);
}

/** The user with this id, or with this e-mail; null when there is none. */
export async function findUser(
  db: Executor,
  by: { id: number } | { email: string },
): Promise<UserRecord | null> {
  return await users.findOne(db, USER, { ...by, accountId: undefined });
}

/** Users after an id, by ascending id; of one account, or of all. */
export async function listUsers(
  db: Executor,
  page: IdPage & { accountId: number | undefined },
): Promise<UserRecord[]> {
  const where: Condition[] = [['account_id = ?', page.accountId]];
  return await selectAfterId(db, USER, { from: 'users', where, id: 'id' }, page);
}
