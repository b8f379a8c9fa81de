import { isoToSql } from '../../lib/time.js';
import type { Executor, SqlValue } from '../database.js';
import { insertRow, updateRow } from '../sql.js';
import { users } from '../tables/users.js';

/** A merchant user without password and remember token. Timestamps: ISO 8601 UTC with microseconds. */
export interface UserRecord {
  id: number;
  accountId: number;
  name: string;
  /** Unique among all users. */
  email: string;
  isPremium: boolean;
  /** When premium ends; null means never. */
  premiumUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A new user; what is left out gets the column's default. */
export type NewUser = Pick<UserRecord, 'accountId' | 'name' | 'email'> &
  Partial<Pick<UserRecord, 'isPremium' | 'premiumUntil'>>;

const COLUMNS = [
  'id',
  'accountId',
  'name',
  'email',
  'isPremium',
  'premiumUntil',
  'createdAt',
  'updatedAt',
] as const;

/** Inserts a user and gives its id. @throws DatabaseError a duplicate when the e-mail is taken */
export async function insertUser(db: Executor, user: NewUser): Promise<number> {
  return insertRow(db, 'users', { account_id: user.accountId, ...columnsOf(user) });
}

/** Changes what is given. @throws DatabaseError as {@link insertUser} */
export async function updateUser(
  db: Executor,
  userId: number,
  changes: Partial<Omit<NewUser, 'accountId'>>,
): Promise<void> {
  await updateRow(db, 'users', userId, columnsOf(changes));
}

/** The user with this id, or with this e-mail; null when there is none. */
export async function findUser(
  db: Executor,
  by: { id: number } | { email: string },
): Promise<UserRecord | null> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['email', by.email];
  const [row] = await users.select(db, COLUMNS, `WHERE ${column} = ?`, [value]);
  return row ?? null;
}

/** Users by ascending id, those after an id; of one account, or of all. */
export async function listUsers(
  db: Executor,
  page: { accountId: number | undefined; afterId: number; limit: number },
): Promise<UserRecord[]> {
  const [filter, values] = page.accountId === undefined ? ['', []] : ['AND account_id = ?', [page.accountId]];
  return await users.select(db, COLUMNS, `WHERE id > ? ${filter} ORDER BY id LIMIT ${page.limit}`, [
    page.afterId,
    ...values,
  ]);
}

function columnsOf(user: Partial<NewUser>): Record<string, SqlValue | undefined> {
  return {
    name: user.name,
    email: user.email,
    is_premium: user.isPremium,
    premium_until: user.premiumUntil == null ? user.premiumUntil : isoToSql(user.premiumUntil),
  };
}
