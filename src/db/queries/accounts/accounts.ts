import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, carriers, companies, licenseSettings, licenses } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';
import { beginningOf, fulltextOf, type IdPage, selectAfterId } from '../keyset.js';

const a = accounts.as('a');
const l = licenses.as('l');
const r = carriers.as('r');
const t = licenseSettings.as('t');
const ACCOUNT = shape(a);

/** An account without its credentials. Times: ISO 8601 UTC with microseconds. */
export type AccountRecord = RowOf<typeof accounts>;

/** The changeable fields of an account. */
export type AccountChanges = Partial<Omit<AccountRecord, 'id' | 'disabledAt' | 'createdAt' | 'updatedAt'>>;

/** A license `l` of an account `a`, a company `c` and a carrier `r`, with its settings `t` for that carrier, if it has any. */
export const LICENSE_SUMMARY = {
  id: l.id,
  key: l.licenseKey,
  name: l.name,
  /** Its account's name. */
  merchant: a.name,
  /** False for every license of a disabled account. */
  isActive: expression('l.is_active AND a.disabled_at IS NULL', bool),
  expiresAt: l.expiresAt,
  multipleShipment: l.multipleShipment,
  isSandbox: l.isSandbox,
  carrier: shape({ id: r.id, name: r.name, provider: r.provider }),
  /** Name of its company, such as HFD, by which people know the carrier. */
  company: companies.as('c').name,
  /** Prefix of the order ids sent to the carrier. */
  orderPrefix: t.orderPrefix.or(''),
  sendNoteOnOrder: t.sendNoteOnOrder.or(true),
};
export const LICENSE = shape(LICENSE_SUMMARY);

/** A license as authentication and the hot path need it. `expiresAt`: ISO 8601 UTC with microseconds. */
export type LicenseSummary = Selected<typeof LICENSE>;

/** An account. @throws Error when there is none: callers hold the id from authentication */
export async function getAccount(db: Executor, accountId: number): Promise<AccountRecord> {
  const account = await findAccount(db, accountId);
  if (account === null) throw new Error(`Account ${accountId} does not exist.`);
  return account;
}

/** An account; null when there is none. */
export async function findAccount(db: Executor, accountId: number): Promise<AccountRecord | null> {
  return await ACCOUNT.first(db, 'FROM accounts a WHERE a.id = ?', [accountId]);
}

/** Accounts after an id, by ascending id. */
export async function listAccounts(db: Executor, page: IdPage): Promise<AccountRecord[]> {
  return await selectAfterId(db, ACCOUNT, { from: 'accounts a', id: 'a.id' }, page);
}

const BY_WORDS =
  'SELECT id FROM accounts WHERE MATCH (name, email, company_name) AGAINST (? IN BOOLEAN MODE) LIMIT ?';
const BY_BEGINNING = ['name', 'email'].map(
  (column) => `SELECT id FROM accounts WHERE ${column} LIKE ? ORDER BY ${column} LIMIT ?`,
);

/**
 * The accounts whose name or e-mail begins with the text, those with such a name first; and those of whose name, e-mail
 * or name for recipients each word of the text, of three letters or more, begins one. `most` of them.
 */
export async function searchAccounts(db: Executor, text: string, most: number): Promise<AccountRecord[]> {
  const beginning = beginningOf(text);
  const words = fulltextOf(text);
  const parts = [
    ...BY_BEGINNING.map((sql) => ({ sql, param: beginning })),
    ...(words === '' ? [] : [{ sql: BY_WORDS, param: words }]),
  ];
  return await ACCOUNT.select(
    db,
    `FROM (${parts.map(({ sql }) => `(${sql})`).join(' UNION ')}) found JOIN accounts a ON a.id = found.id
     ORDER BY a.name LIKE ? DESC, a.name, a.id LIMIT ?`,
    [...parts.flatMap(({ param }) => [param, most]), beginning, most],
  );
}

/** Inserts an account and gives its id. Omitted fields get the column's default. */
export async function insertAccount(
  db: Executor,
  account: AccountChanges & Pick<AccountRecord, 'name' | 'email'> & { id?: number },
): Promise<number> {
  return await accounts.insert(db, account);
}

/** Changes the given fields. */
export async function updateAccount(db: Executor, accountId: number, changes: AccountChanges): Promise<void> {
  await accounts.update(db, { id: accountId }, changes);
}

/** Changes the given contacts of the tracking page; others stay, also those that are changed at the same time. */
export async function mergeContacts(
  db: Executor,
  accountId: number,
  contacts: Record<string, string>,
): Promise<void> {
  await db.run(
    `UPDATE accounts
     SET tracker_page_contact_info = JSON_MERGE_PATCH(COALESCE(tracker_page_contact_info, '{}'), ?)
     WHERE id = ?`,
    [JSON.stringify(contacts), accountId],
  );
}

/** Disables an account, or ends that. False when it is so already. */
export async function switchAccount(
  db: Executor,
  { accountId, isDisabled }: { accountId: number; isDisabled: boolean },
): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE accounts SET disabled_at = ${isDisabled ? 'UTC_TIMESTAMP(6)' : 'NULL'}
     WHERE id = ? AND disabled_at IS ${isDisabled ? 'NULL' : 'NOT NULL'}`,
    [accountId],
  );
  return affectedRows === 1;
}
