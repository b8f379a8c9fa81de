import type { Executor } from '../../database.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts } from '../../tables/accounts.js';
import { clientCredentials } from '../../tables/client-credentials.js';
import { LICENSE_SUMMARY, type LicenseSummary } from './accounts.js';

/** What is needed to check credentials. */
export interface CredentialsRecord {
  accountId: number;
  /** False where the account may not use the API, or may do nothing at all. */
  isAdmitted: boolean;
  secretHash: Buffer;
  /** For credentials beside the account's current ones. `lastUsedAt`: ISO 8601 UTC. */
  other: { id: number; lastUsedAt: string | null } | null;
}

/** What is needed to check credentials and choose a license. */
export interface AuthRecord extends CredentialsRecord {
  /** Every license of the account, usable or not, by ascending id. */
  licenses: LicenseSummary[];
}

const a = accounts.as('a');
const k = clientCredentials.as('k');
const ADMITTED = { accountId: a.id, enableApi: a.enableApi, disabledAt: a.disabledAt };
const NO_OTHER = expression('NULL', () => null);
const CURRENT = {
  columns: shape({ ...ADMITTED, clientId: a.clientId, secretHash: a.clientSecretHash, other: NO_OTHER }),
  from: 'accounts a',
  where: 'a.client_id = ?',
};
const OTHERS = {
  columns: shape({
    ...ADMITTED,
    clientId: k.clientId,
    secretHash: k.clientSecretHash,
    other: shape({ id: k.id, lastUsedAt: k.lastUsedAt }),
  }),
  from: 'client_credentials k JOIN accounts a ON a.id = k.account_id',
  where: 'k.client_id = ? AND (k.expires_at IS NULL OR k.expires_at > UTC_TIMESTAMP(6))',
};
type Found = Selected<(typeof CURRENT | typeof OTHERS)['columns']>;
const LICENSE = shape(LICENSE_SUMMARY).or(null);
const LICENSES = `LEFT JOIN licenses l ON l.account_id = a.id
     LEFT JOIN companies c ON c.id = l.company_id
     LEFT JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id`;

/**
 * The credentials of a client id (case-sensitive); null when unknown or expired. One look-up in one table finds an
 * account's current ones, a second one others.
 */
export async function findCredentials(db: Executor, clientId: string): Promise<CredentialsRecord | null> {
  const current = await CURRENT.columns.first(db, `FROM ${CURRENT.from} WHERE ${CURRENT.where}`, [clientId]);
  const known = ofClient(current, clientId);
  if (known !== null) return known;
  const other = await OTHERS.columns.first(db, `FROM ${OTHERS.from} WHERE ${OTHERS.where}`, [clientId]);
  return ofClient(other, clientId);
}

/** The same with all licenses of the account. */
export async function findByClientId(db: Executor, clientId: string): Promise<AuthRecord | null> {
  return (await withLicenses(db, CURRENT, clientId)) ?? (await withLicenses(db, OTHERS, clientId));
}

async function withLicenses(
  db: Executor,
  { columns, from, where }: typeof CURRENT | typeof OTHERS,
  clientId: string,
): Promise<AuthRecord | null> {
  const credentials = columns.map((found): Found => found);
  const rows = await shape({ credentials, license: LICENSE }).select(
    db,
    `FROM ${from} ${LICENSES} WHERE ${where}`,
    [clientId],
  );
  const known = ofClient(rows[0]?.credentials ?? null, clientId);
  const found = rows.flatMap(({ license }) => license ?? []).sort((one, next) => one.id - next.id);
  return known && { ...known, licenses: found };
}

/** MySQL ignores trailing spaces in comparisons of this collation. */
function ofClient(found: Found | null, clientId: string): CredentialsRecord | null {
  if (found?.clientId !== clientId) return null;
  const { accountId, enableApi, disabledAt, secretHash, other } = found;
  return { accountId, isAdmitted: enableApi && disabledAt === null, secretHash, other };
}

/** Records that credentials were used now, unless that was recorded within the last `seconds`. */
export async function touchCredentials(
  db: Executor,
  { id, seconds }: { id: number; seconds: number },
): Promise<void> {
  await db.run(
    `UPDATE client_credentials SET last_used_at = UTC_TIMESTAMP(6)
     WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)`,
    [id, seconds],
  );
}

/**
 * Keeps an account's current credentials valid for some time beside the ones that are to replace them. `name`: for
 * people. Does nothing for an account that has none.
 */
export async function keepCredentials(
  db: Executor,
  { accountId, name, seconds }: { accountId: number; name: string; seconds: number },
): Promise<void> {
  await db.run(
    `INSERT INTO client_credentials
       (account_id, name, client_id, client_secret_hash, client_secret_last4, expires_at)
     SELECT id, ?, client_id, client_secret_hash, client_secret_last4, UTC_TIMESTAMP(6) + INTERVAL ? SECOND
     FROM accounts WHERE id = ? AND client_secret_last4 <> ''`,
    [name, seconds, accountId],
  );
}

/** Ends an account's other credentials at once; returns how many there were. */
export async function endOtherCredentials(db: Executor, accountId: number): Promise<number> {
  const { affectedRows } = await db.run('DELETE FROM client_credentials WHERE account_id = ?', [accountId]);
  return affectedRows;
}

const OTHER = clientCredentials.pick(
  'id',
  'accountId',
  'name',
  'clientId',
  'clientSecretLast4',
  'expiresAt',
  'lastUsedAt',
  'createdAt',
);

/** Credentials beside an account's current ones, without the secret. Times: ISO 8601 UTC. */
export type OtherCredentials = Selected<typeof OTHER>;

/** Those of an account that are valid, oldest first. */
export async function listOtherCredentials(db: Executor, accountId: number): Promise<OtherCredentials[]> {
  return await OTHER.select(
    db,
    `FROM client_credentials
     WHERE account_id = ? AND (expires_at IS NULL OR expires_at > UTC_TIMESTAMP(6)) ORDER BY id`,
    [accountId],
  );
}

/** Ends credentials at once, and returns what they were; null when there are none with this id. */
export async function endCredentials(db: Executor, id: number): Promise<OtherCredentials | null> {
  const found = await clientCredentials.findOne(db, OTHER, { id, accountId: undefined }, 'FOR UPDATE');
  if (found !== null) await db.run('DELETE FROM client_credentials WHERE id = ?', [id]);
  return found;
}
