import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { clientCredentials } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';
import { LICENSE, type LicenseSummary } from './accounts.js';

const k = clientCredentials.as('k');
const FOUND = shape({
  id: k.id,
  accountId: k.accountId,
  /** False where the account may not use the API, or may do nothing at all. */
  isAdmitted: expression('a.enable_api AND a.disabled_at IS NULL', bool),
  clientId: k.clientId,
  isReadOnly: k.isReadOnly,
  /** SHA-256 of the secret, sealed. */
  secretHash: k.clientSecretHash,
  lastUsedAt: k.lastUsedAt,
});
const LICENSE_OR_NONE = LICENSE.or(null);
const FOUND_WITH_LICENSE = shape({ credentials: FOUND, license: LICENSE_OR_NONE });
const FROM = 'client_credentials k JOIN accounts a ON a.id = k.account_id';
const VALID = '(k.expires_at IS NULL OR k.expires_at > UTC_TIMESTAMP(6))';
const WHERE = `k.client_id = ? AND ${VALID}`;
const LICENSES = `LEFT JOIN licenses l ON l.account_id = a.id
     LEFT JOIN companies c ON c.id = l.company_id
     LEFT JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id`;

/** A row for the check of credentials. */
type CredentialsRecord = Selected<typeof FOUND>;

/** Credentials for a check, and the licenses to choose from: every one of the account, usable or not, by ascending id. */
export type AuthRecord = CredentialsRecord & { licenses: LicenseSummary[] };

/** The credentials of a client id (case-sensitive); null when unknown or expired. */
export async function findCredentials(db: Executor, clientId: string): Promise<CredentialsRecord | null> {
  return ofClient(await FOUND.first(db, `FROM ${FROM} WHERE ${WHERE}`, [clientId]), clientId);
}

/** The same with all licenses of the account. */
export async function findByClientId(db: Executor, clientId: string): Promise<AuthRecord | null> {
  const rows = await FOUND_WITH_LICENSE.select(db, `FROM ${FROM} ${LICENSES} WHERE ${WHERE}`, [clientId]);
  const known = ofClient(rows[0]?.credentials ?? null, clientId);
  return known && { ...known, licenses: byId(rows.flatMap(({ license }) => license ?? [])) };
}

/** Every license of an account, usable or not, by ascending id. */
export async function listLicenseSummaries(db: Executor, accountId: number): Promise<LicenseSummary[]> {
  const rows = await LICENSE_OR_NONE.select(db, `FROM accounts a ${LICENSES} WHERE a.id = ?`, [accountId]);
  return byId(rows.flatMap((license) => license ?? []));
}

function byId(licenses: LicenseSummary[]): LicenseSummary[] {
  return licenses.sort((one, next) => one.id - next.id);
}

/** MySQL ignores trailing spaces in comparisons of this collation. */
function ofClient<T extends { clientId: string }>(found: T | null, clientId: string): T | null {
  return found?.clientId === clientId ? found : null;
}

/** Records that credentials, or a token, were used now, unless that was recorded within the last `seconds`. */
export async function touch(
  db: Executor,
  table: 'client_credentials' | 'personal_access_tokens',
  { id, seconds }: { id: number; seconds: number },
): Promise<void> {
  await db.run(
    `UPDATE ${table} SET last_used_at = UTC_TIMESTAMP(6)
     WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)`,
    [id, seconds],
  );
}

const LISTED = clientCredentials.pick(
  'id',
  'accountId',
  'name',
  'clientId',
  'clientSecretLast4',
  'isReadOnly',
  'expiresAt',
  'lastUsedAt',
  'createdAt',
);

/** Credentials without the secret. Times: ISO 8601 UTC. */
export type ListedCredentials = Selected<typeof LISTED>;

/** Those of an account that are valid, oldest first. */
export async function listCredentials(db: Executor, accountId: number): Promise<ListedCredentials[]> {
  return await LISTED.select(
    db,
    `FROM client_credentials k WHERE k.account_id = ? AND ${VALID} ORDER BY k.id`,
    [accountId],
  );
}

/** Locks valid credentials for a change; null when there are none with this client id. */
export async function lockCredentials(tx: Executor, clientId: string): Promise<ListedCredentials | null> {
  const tail = `FROM client_credentials k WHERE ${WHERE} FOR UPDATE`;
  return ofClient(await LISTED.first(tx, tail, [clientId]), clientId);
}

/** New credentials. Of their secret only its sealed hash and its last four characters are kept. */
export type NewCredentials = Pick<
  ListedCredentials,
  'accountId' | 'name' | 'clientId' | 'isReadOnly' | 'expiresAt'
> &
  Pick<RowOf<typeof clientCredentials>, 'clientSecretHash' | 'clientSecretLast4'>;

/** Adds credentials to an account. @throws DatabaseError a duplicate when the client id is taken */
export async function insertCredentials(db: Executor, credentials: NewCredentials): Promise<void> {
  await clientCredentials.insert(db, credentials);
}

/** Adds credentials, or gives those with this client id another secret and no end. False where all is so already. */
export async function replaceSecret(db: Executor, credentials: NewCredentials): Promise<boolean> {
  const { clientId, accountId, clientSecretHash, clientSecretLast4 } = credentials;
  const known = await LISTED.first(db, 'FROM client_credentials WHERE client_id = ? FOR UPDATE', [clientId]);
  if (known === null) {
    await insertCredentials(db, credentials);
    return true;
  }
  const changes = { clientSecretHash, clientSecretLast4, expiresAt: null };
  return (await clientCredentials.update(db, { id: known.id, accountId }, changes)) === 1;
}

/** Has credentials end after some seconds, unless they end before. */
export async function endCredentialsLater(
  db: Executor,
  { id, seconds }: { id: number; seconds: number },
): Promise<void> {
  await db.run(
    `UPDATE client_credentials SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
     WHERE id = ? AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(6) + INTERVAL ? SECOND)`,
    [seconds, id, seconds],
  );
}

/** Ends credentials at once. */
export async function endCredentials(db: Executor, id: number): Promise<void> {
  await db.run('DELETE FROM client_credentials WHERE id = ?', [id]);
}

/** Ends all credentials of an account at once. */
export async function endAllCredentials(db: Executor, accountId: number): Promise<void> {
  await db.run('DELETE FROM client_credentials WHERE account_id = ?', [accountId]);
}
