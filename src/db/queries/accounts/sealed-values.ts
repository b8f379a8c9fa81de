import { SERVICE_SECRETS } from '../../../domain/service-secrets.js';
import { keyIdOf, type Purpose } from '../../../lib/app-keys.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Database, Executor, Row, SqlValue } from '../../database.js';
import * as row from '../../row.js';
import { placeholders } from '../../sql.js';

/** Where values of a purpose are stored: a column that holds one, or JSON with several in base64. */
export interface SealedPlace {
  purpose: Purpose;
  table: string;
  column: string;
  /** Column that names a row. */
  id: string;
  /** Rows that still matter, as a condition. */
  where: string;
  /** The values end by themselves; others last, and are brought under a new key. */
  endsAlone?: boolean;
  isJson?: boolean;
}

const lasting = { id: 'id', where: 'TRUE' };
const { sessionSeconds } = LIMITS.panel;
const secretOf = (name: string) => ({
  table: 'service_secrets',
  column: 'sealed',
  id: 'name',
  where: `name = '${name}'`,
});
const webhooks = { ...lasting, purpose: 'webhook secret', table: 'webhook_subscriptions' } as const;

/** Every column that holds what `APP_KEY` has sealed or hashed, but for the proofs of the keys themselves. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  { ...lasting, purpose: 'client secret', table: 'client_credentials', column: 'client_secret_hash' },
  { ...lasting, purpose: 'carrier settings', table: 'license_settings', column: 'secrets' },
  { ...webhooks, column: 'secret' },
  { ...webhooks, column: 'older_secrets', isJson: true },
  { ...lasting, purpose: 'totp secret', table: 'panel_users', column: 'totp_secret' },
  { ...lasting, purpose: 'recovery code', table: 'panel_users', column: 'recovery_hashes', isJson: true },
  { ...secretOf(SERVICE_SECRETS.app), purpose: 'app secret' },
  { ...secretOf(SERVICE_SECRETS.lasting), purpose: 'lasting key' },
  {
    purpose: 'session',
    table: 'panel_sessions',
    column: 'token_hash',
    id: 'id',
    where: `created_at > NOW(6) - INTERVAL ${sessionSeconds} SECOND`,
    endsAlone: true,
  },
  {
    purpose: 'invitation',
    table: 'panel_users',
    column: 'invitation_hash',
    id: 'id',
    where: 'invitation_ends_at > NOW(6)',
    endsAlone: true,
  },
  {
    purpose: 'panel form',
    table: 'panel_sent_forms',
    column: 'answer',
    id: 'user_id',
    where: 'TRUE',
    endsAlone: true,
  },
];

/** How many rows of a place have a value of each key, by the key's id. */
export async function countSealed(db: Executor, place: SealedPlace): Promise<Map<string, number>> {
  const { table, column, where, isJson = false } = place;
  const from = `FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`;
  // The first byte is the length of the id behind it.
  const keyId = `SUBSTRING(${column}, 2, ORD(${column}))`;
  const counts = new Map<string, number>();
  if (!isJson) {
    const found = await db.select(`SELECT ${keyId} AS kept, COUNT(*) AS amount ${from} GROUP BY kept`);
    for (const one of found) counts.set(row.bytes(one, 'kept').toString('latin1'), row.int(one, 'amount'));
    return counts;
  }
  for (const one of await db.select(`SELECT ${column} AS kept ${from}`)) {
    for (const id of new Set(valuesOf(one, place).map(keyIdOf))) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** A page of the rows of a place, by ascending id. `after`: the last id before it. */
interface SealedPage {
  after: string | null;
  limit: number;
}

/**
 * Replaces the values of a page for which `isOld` by what `renew` returns, in one transaction over rows that are locked;
 * others may change them before and after. Returns the page's last id, null behind the last page, how many rows were
 * written, and how many hold a value that `renew` cannot read: it returns null for one.
 */
export async function renewSealed(
  db: Database,
  place: SealedPlace,
  page: SealedPage,
  { isOld, renew }: { isOld: (sealed: Buffer) => boolean; renew: (sealed: Buffer) => Buffer | null },
): Promise<{ last: string | null; rows: number; unreadable: number }> {
  const { table, column, id, where } = place;
  const [behind, values]: [string, SqlValue[]] =
    page.after === null ? ['', []] : [`AND ${id} > ?`, [page.after]];
  const select = `SELECT ${id} AS row_id, ${column} AS kept FROM ${table}`;
  const found = await db.select(
    `${select} WHERE ${column} IS NOT NULL AND ${where} ${behind} ORDER BY ${id} LIMIT ${page.limit}`,
    values,
  );
  const ids = found.filter((one) => valuesOf(one, place).some(isOld)).map(idOf);
  const last = found.at(-1);
  const done = { last: last === undefined ? null : idOf(last), rows: 0, unreadable: 0 };
  if (ids.length === 0) return done;
  return await db.transaction(async (tx) => {
    const locked = await tx.select(
      `${select} WHERE ${column} IS NOT NULL AND ${id} IN (${placeholders(ids.length)}) ORDER BY ${id} FOR UPDATE`,
      ids,
    );
    const written = { ...done };
    for (const one of locked.filter((each) => valuesOf(each, place).some(isOld))) {
      const { kept, isWhole, isChanged } = replaced(one, place, renew);
      if (!isWhole) written.unreadable += 1;
      if (!isChanged) continue;
      await tx.run(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`, [kept, idOf(one)]);
      written.rows += 1;
    }
    return written;
  });
}

function idOf(one: Row): string {
  return String(one.row_id);
}

function valuesOf(one: Row, { isJson = false }: SealedPlace): Buffer[] {
  return isJson ? entriesOf(one).map(sealedOf) : [row.bytes(one, 'kept')];
}

/** The row's values renewed; those that cannot be read stay. */
function replaced(
  one: Row,
  place: SealedPlace,
  renew: (sealed: Buffer) => Buffer | null,
): { kept: SqlValue; isWhole: boolean; isChanged: boolean } {
  const old = valuesOf(one, place);
  const renewed = old.map(renew);
  const values = old.map((sealed, index) => renewed[index] ?? sealed);
  return {
    kept: place.isJson === true ? withValues(one, values) : (values[0] ?? null),
    isWhole: !renewed.includes(null),
    isChanged: values.some((value, index) => value !== old[index]),
  };
}

function withValues(one: Row, values: readonly Buffer[]): string {
  const entries = entriesOf(one).map((entry, index) => {
    const sealed = values[index]?.toString('base64');
    return isObject(entry) ? { ...entry, sealed } : sealed;
  });
  return JSON.stringify(entries);
}

function entriesOf(one: Row): unknown[] {
  const list = row.json(one, 'kept');
  return Array.isArray(list) ? list : [];
}

/** An entry is the value, or an object with it as `sealed`. */
function sealedOf(entry: unknown): Buffer {
  return Buffer.from(String(isObject(entry) ? entry.sealed : entry), 'base64');
}

function isObject(entry: unknown): entry is { sealed: unknown } {
  return typeof entry === 'object' && entry !== null && 'sealed' in entry;
}
