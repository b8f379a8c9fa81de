import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { bool, int, iso, isoOrNull, text } from '../row.js';
import { insertRow, updateRow } from '../sql.js';

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

const COLUMNS = 'id, account_id, name, email, is_premium, premium_until, created_at, updated_at';

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
  const [row] = await db.select(`SELECT ${COLUMNS} FROM users WHERE ${column} = ?`, [value]);
  return row === undefined ? null : toUser(row);
}

/** Users by ascending id, those after an id; of one account, or of all. */
export async function listUsers(
  db: Executor,
  page: { accountId: number | undefined; afterId: number; limit: number },
): Promise<UserRecord[]> {
  const [filter, values] = page.accountId === undefined ? ['', []] : ['AND account_id = ?', [page.accountId]];
  const rows = await db.select(
    `SELECT ${COLUMNS} FROM users WHERE id > ? ${filter} ORDER BY id LIMIT ${page.limit}`,
    [page.afterId, ...values],
  );
  return rows.map(toUser);
}

function columnsOf(user: Partial<NewUser>): Record<string, SqlValue | undefined> {
  return {
    name: user.name,
    email: user.email,
    is_premium: user.isPremium,
    premium_until: user.premiumUntil == null ? user.premiumUntil : isoToSql(user.premiumUntil),
  };
}

function toUser(row: Row): UserRecord {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    name: text(row, 'name'),
    email: text(row, 'email'),
    isPremium: bool(row, 'is_premium'),
    premiumUntil: isoOrNull(row, 'premium_until'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
