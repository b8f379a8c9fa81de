import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { accounts, panelUsers } from '../../tables/index.js';
import { type ChangesOf, NEXT_TURN, type NewRowOf } from '../../tables/table.js';
import { beginningOf, type Condition, type IdPage, selectAfterId } from '../keyset.js';

const u = panelUsers.as('u');
const PARTS = {
  id: u.id,
  accountId: u.accountId,
  account: accounts.as('a').name.or(null),
  email: u.email,
  name: u.name,
  role: u.role,
  language: u.language,
  isActive: u.isActive,
  /** Whether an invitation was accepted, here or at the OpenID provider. */
  isEnrolled: expression('u.password_hash IS NOT NULL OR u.invitation_hash IS NULL', bool),
};
const USER = shape({
  ...PARTS,
  invitationEndsAt: u.invitationEndsAt,
  createdAt: u.createdAt,
});
const LOCKED = shape({
  ...PARTS,
  passwordHash: u.passwordHash,
  totpSecret: u.totpSecret,
  recoveryHashes: u.recoveryHashes,
});
const CODES = shape({ hashes: u.recoveryHashes }).map(({ hashes }) => hashes);
const TABLES = 'panel_users u LEFT JOIN accounts a ON a.id = u.account_id';

/** A person of the panel, without secrets. `account`: the name of the account, for owners and staff. */
export type PanelUser = Selected<typeof USER>;
/** A person with what proves who it is. */
export type LockedUser = Selected<typeof LOCKED>;

/** The user with an id, e-mail or open invitation; null when there is none. */
export async function findPanelUser(
  db: Executor,
  by: { id: number } | { email: string } | { invitationHashes: readonly Buffer[] },
): Promise<PanelUser | null> {
  if ('invitationHashes' in by) {
    const { invitationHashes } = by;
    const isThis = `u.invitation_hash IN (${placeholders(invitationHashes.length)})`;
    const tail = `FROM ${TABLES} WHERE ${isThis} AND u.invitation_ends_at > NOW(6) AND u.is_active`;
    return await USER.first(db, tail, invitationHashes);
  }
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['email', by.email] as const);
  return await USER.first(db, `FROM ${TABLES} WHERE u.${column} = ?`, [value]);
}

/**
 * The active user with this e-mail, in capitals or not, to check a sign-in; null when there is none, or its account is
 * disabled.
 */
export async function findLockedUser(db: Executor, email: string): Promise<LockedUser | null> {
  // Only ASCII letters: other letters than those have the same small form as some of them.
  const small = email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const tail = `WHERE LOWER(u.email) = ? AND u.is_active AND a.disabled_at IS NULL ORDER BY u.email = ? DESC`;
  return await LOCKED.first(db, `FROM ${TABLES} ${tail}`, [small, email]);
}

/**
 * E-mails of the active users of an account, or of none, with a role, who have accepted their invitation; they stay so
 * until the transaction ends.
 */
export async function lockEnrolled(
  db: Executor,
  { role, accountId }: Pick<PanelUser, 'role' | 'accountId'>,
): Promise<string[]> {
  // Changed too, as a lock alone keeps nobody out who comes by another node of a cluster.
  await db.run(`UPDATE panel_users SET ${NEXT_TURN} WHERE role = ? AND account_id <=> ? AND is_active`, [
    role,
    accountId,
  ]);
  return await u.email.select(
    db,
    `FROM panel_users u WHERE u.role = ? AND u.account_id <=> ? AND u.is_active
     AND (u.password_hash IS NOT NULL OR u.invitation_hash IS NULL) ORDER BY u.id FOR UPDATE`,
    [role, accountId],
  );
}

/** Users by ascending id, of one account or all; `email`: those whose e-mail begins so. */
export async function listPanelUsers(
  db: Executor,
  page: IdPage & { accountId: number | undefined; email?: string | undefined },
): Promise<PanelUser[]> {
  const beginning = page.email === undefined ? undefined : beginningOf(page.email);
  const where: Condition[] = [
    ['u.account_id = ?', page.accountId],
    ['u.email LIKE ?', beginning],
  ];
  return await selectAfterId(db, USER, { from: TABLES, where, id: 'u.id' }, page);
}

/** Inserts a user and returns its id. @throws DatabaseError a duplicate when the e-mail is taken */
export async function insertPanelUser(db: Executor, user: NewRowOf<typeof panelUsers>): Promise<number> {
  return await panelUsers.insert(db, user);
}

/** Changes the given fields. @throws DatabaseError as {@link insertPanelUser} */
export async function updatePanelUser(
  db: Executor,
  id: number,
  changes: ChangesOf<typeof panelUsers>,
): Promise<void> {
  await panelUsers.update(db, { id, accountId: undefined }, changes);
}

/** Takes an open invitation by one of its hashes, with what the user has chosen; false when it was taken already. */
export async function takeInvitation(
  db: Executor,
  { invitationHashes, ...chosen }: { invitationHashes: readonly Buffer[] } & ChangesOf<typeof panelUsers>,
): Promise<boolean> {
  const changes = { ...chosen, invitationHash: null, invitationEndsAt: null };
  for (const invitationHash of invitationHashes) {
    const taken = await panelUsers.update(db, { invitationHash, accountId: undefined }, changes);
    if (taken === 1) return true;
  }
  return false;
}

/** Records the time step of a TOTP code; false when it, or a later one, has signed in before. */
export async function takeTotpStep(db: Executor, id: number, step: number): Promise<boolean> {
  const sql = 'UPDATE panel_users SET totp_step = ? WHERE id = ? AND totp_step < ?';
  return (await db.run(sql, [step, id, step])).affectedRows === 1;
}

/** Removes the recovery code that is used; false when the user has no such code any more. In a transaction. */
export async function takeRecoveryHash(
  tx: Executor,
  id: number,
  isUsed: (sealed: string) => boolean,
): Promise<boolean> {
  const before = (await CODES.first(tx, 'FROM panel_users u WHERE u.id = ? FOR UPDATE', [id])) ?? [];
  const left = before.filter((one) => !isUsed(one));
  if (left.length === before.length) return false;
  await updatePanelUser(tx, id, { recoveryHashes: left });
  return true;
}

const IS_TODAY = 'wrong_codes_since > NOW(6) - INTERVAL 1 DAY';

/**
 * Counts a code as wrong before it is checked, since parallel guesses would pass together; false where `most` were wrong
 * within a day.
 */
export async function takeCodeTry(db: Executor, id: number, most: number): Promise<boolean> {
  const sql = `UPDATE panel_users
    SET wrong_codes = IF(${IS_TODAY}, wrong_codes + 1, 1),
        wrong_codes_since = IF(${IS_TODAY}, wrong_codes_since, NOW(6))
    WHERE id = ? AND (wrong_codes < ? OR wrong_codes_since IS NULL OR NOT (${IS_TODAY}))`;
  return (await db.run(sql, [id, most])).affectedRows === 1;
}

/** Takes {@link takeCodeTry} back: the code was right. */
export async function giveCodeTryBack(db: Executor, id: number): Promise<void> {
  await db.run('UPDATE panel_users SET wrong_codes = wrong_codes - 1 WHERE id = ? AND wrong_codes > 0', [id]);
}

/** The license in which a user has created a shipment last; null before the first. */
export async function findUsedLicense(db: Executor, userId: number): Promise<number | null> {
  const found = await panelUsers.findOne(db, panelUsers.pick('lastLicenseId'), {
    id: userId,
    accountId: undefined,
  });
  return found?.lastLicenseId ?? null;
}

/** Keeps it. */
export async function keepUsedLicense(
  db: Executor,
  { userId, licenseId }: { userId: number; licenseId: number },
): Promise<void> {
  await panelUsers.update(db, { id: userId, accountId: undefined }, { lastLicenseId: licenseId });
}
