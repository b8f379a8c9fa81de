import type { JsonObject } from '../../domain/shipment.js';
import type { Executor, Row, SqlValue } from '../database.js';
import { bool, bytes, int, iso, isoOrNull, jsonObjectOrNull, text } from '../row.js';
import { insertRow, updateRow } from '../sql.js';

/** A license as authentication and the hot path need it. `expiresAt`: ISO 8601 UTC with microseconds. */
export interface LicenseSummary {
  id: number;
  key: string;
  name: string;
  /** Its account's name. */
  merchant: string;
  isActive: boolean;
  expiresAt: string | null;
  multipleShipment: boolean;
  carrier: { id: number; name: string; provider: string };
  /** Put before order ids that are sent to the carrier. */
  orderPrefix: string;
  sendNoteOnOrder: boolean;
}

/** What is needed to check credentials. */
export interface CredentialsRecord {
  accountId: number;
  enableApi: boolean;
  secretHash: Buffer;
}

/** What is needed to check credentials and choose a license. */
export interface AuthRecord extends CredentialsRecord {
  /** Every license of the account, usable or not, by ascending id. */
  licenses: LicenseSummary[];
}

/** An account without secret material but the marker of its secret. Timestamps: ISO 8601 UTC with microseconds. */
export interface AccountRecord {
  id: number;
  name: string;
  email: string;
  phone: string;
  locale: string;
  companyName: string;
  companyLogo: string;
  /** `#rrggbb`, or empty. */
  companyColor: string;
  supportEmail: string;
  supportPhone: string;
  trackerPageContactInfo: JsonObject | null;
  enableApi: boolean;
  canUseCollectionPoints: boolean;
  enableSortByWarehouse: boolean;
  displayOrderProduct: boolean;
  displayProductPriceInOrderDetail: boolean;
  displayOrderNumberBarcode: boolean;
  labelMethod: string;
  labelType: string;
  clientId: string;
  /** The last four characters of the client secret. */
  clientSecretLast4: string;
  createdAt: string;
  updatedAt: string;
}

/** Client credentials as stored: the secret only as its keyed hash (32 bytes) and its last four characters. */
export interface StoredCredentials {
  clientId: string;
  secretHash: Buffer;
  last4: string;
}

/** A new account; what is left out gets the column's default. */
export type NewAccount = Pick<AccountRecord, 'name' | 'email'> &
  Partial<
    Omit<AccountRecord, 'name' | 'email' | 'clientId' | 'clientSecretLast4' | 'createdAt' | 'updatedAt'>
  > &
  StoredCredentials;

/** What credentials of a client id (case-sensitive) are checked with, by one look at one table; null when unknown. */
export async function findCredentials(db: Executor, clientId: string): Promise<CredentialsRecord | null> {
  const [row] = await db.select(
    'SELECT id, client_id, enable_api, client_secret_hash FROM accounts WHERE client_id = ?',
    [clientId],
  );
  // MySQL ignores trailing spaces in comparisons of this collation.
  if (row === undefined || text(row, 'client_id') !== clientId) return null;
  return {
    accountId: int(row, 'id'),
    enableApi: bool(row, 'enable_api'),
    secretHash: bytes(row, 'client_secret_hash'),
  };
}

/** The account of a client id (case-sensitive) with all its licenses, in one statement; null when unknown. */
export async function findByClientId(db: Executor, clientId: string): Promise<AuthRecord | null> {
  const rows = await db.select(
    `SELECT a.id AS account_id, a.name AS account_name, a.client_id, a.enable_api, a.client_secret_hash,
       l.id AS license_id, l.license_key, l.name AS license_name, l.is_active, l.expires_at, l.multiple_shipment,
       r.id AS carrier_id, r.name AS carrier_name, r.provider,
       COALESCE(t.order_prefix, '') AS order_prefix, COALESCE(t.send_note_on_order, 1) AS send_note_on_order
     FROM accounts a
     LEFT JOIN licenses l ON l.account_id = a.id
     LEFT JOIN companies c ON c.id = l.company_id
     LEFT JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id
     WHERE a.client_id = ?`,
    [clientId],
  );
  const [first] = rows;
  // MySQL ignores trailing spaces in comparisons of this collation.
  if (first === undefined || text(first, 'client_id') !== clientId) return null;
  const licenses = rows.filter((row) => row.license_id !== null).map(toLicenseSummary);
  return {
    accountId: int(first, 'account_id'),
    enableApi: bool(first, 'enable_api'),
    secretHash: bytes(first, 'client_secret_hash'),
    licenses: licenses.sort((one, other) => one.id - other.id),
  };
}

const ACCOUNT_COLUMNS = `id, name, email, phone, locale, company_name, company_logo, company_color, support_email, support_phone,
  tracker_page_contact_info, enable_api, can_use_collection_points, enable_sort_by_warehouse,
  display_order_product, display_product_price_in_order_detail, display_order_number_barcode,
  label_method, label_type, client_id, client_secret_last4, created_at, updated_at`;

/**
 * All of an account but its secret.
 * @throws Error when there is none: callers hold the id from authentication
 */
export async function getAccount(db: Executor, accountId: number): Promise<AccountRecord> {
  const account = await findAccount(db, accountId);
  if (account === null) throw new Error(`Account ${accountId} does not exist.`);
  return account;
}

/** All of an account but its secret; null when there is none. */
export async function findAccount(db: Executor, accountId: number): Promise<AccountRecord | null> {
  const [row] = await db.select(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ?`, [accountId]);
  return row === undefined ? null : toAccount(row);
}

/** Accounts by ascending id, those after an id. */
export async function listAccounts(
  db: Executor,
  page: { afterId: number; limit: number },
): Promise<AccountRecord[]> {
  const rows = await db.select(
    `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id > ? ORDER BY id LIMIT ${page.limit}`,
    [page.afterId],
  );
  return rows.map(toAccount);
}

/**
 * Inserts an account and gives its id.
 * @throws DatabaseError a duplicate when the client id is taken
 */
export async function insertAccount(db: Executor, account: NewAccount): Promise<number> {
  return insertRow(db, 'accounts', {
    id: account.id,
    ...columnsOf(account),
    client_id: account.clientId,
    client_secret_hash: account.secretHash,
    client_secret_last4: account.last4,
  });
}

/** What of an account can be changed, credentials apart. */
export type AccountChanges = Partial<
  Omit<AccountRecord, 'id' | 'clientId' | 'clientSecretLast4' | 'createdAt' | 'updatedAt'>
>;

/** Changes what is given. */
export async function updateAccount(db: Executor, accountId: number, changes: AccountChanges): Promise<void> {
  await updateRow(db, 'accounts', accountId, columnsOf(changes));
}

/** Replaces an account's credentials; the old ones stop working at once. False when there is no such account, or these are its own. */
export async function setClientCredentials(
  db: Executor,
  args: { accountId: number } & StoredCredentials,
): Promise<boolean> {
  const { affectedRows } = await db.run(
    'UPDATE accounts SET client_id = ?, client_secret_hash = ?, client_secret_last4 = ? WHERE id = ?',
    [args.clientId, args.secretHash, args.last4, args.accountId],
  );
  return affectedRows === 1;
}

/** Of every field that can be changed: one that is left out here does not compile. */
const COLUMNS: Readonly<Record<keyof AccountChanges, string>> = {
  name: 'name',
  email: 'email',
  phone: 'phone',
  locale: 'locale',
  companyName: 'company_name',
  companyLogo: 'company_logo',
  companyColor: 'company_color',
  supportEmail: 'support_email',
  supportPhone: 'support_phone',
  trackerPageContactInfo: 'tracker_page_contact_info',
  enableApi: 'enable_api',
  canUseCollectionPoints: 'can_use_collection_points',
  enableSortByWarehouse: 'enable_sort_by_warehouse',
  displayOrderProduct: 'display_order_product',
  displayProductPriceInOrderDetail: 'display_product_price_in_order_detail',
  displayOrderNumberBarcode: 'display_order_number_barcode',
  labelMethod: 'label_method',
  labelType: 'label_type',
};

function columnsOf(account: AccountChanges): Record<string, SqlValue | undefined> {
  const values = new Map<string, SqlValue | undefined>(
    Object.entries({ ...account, trackerPageContactInfo: jsonParam(account.trackerPageContactInfo) }),
  );
  return Object.fromEntries(Object.entries(COLUMNS).map(([field, column]) => [column, values.get(field)]));
}

function jsonParam(value: JsonObject | null | undefined): SqlValue | undefined {
  return value === undefined || value === null ? value : JSON.stringify(value);
}

function toLicenseSummary(row: Row): LicenseSummary {
  return {
    id: int(row, 'license_id'),
    key: text(row, 'license_key'),
    name: text(row, 'license_name'),
    merchant: text(row, 'account_name'),
    isActive: bool(row, 'is_active'),
    expiresAt: isoOrNull(row, 'expires_at'),
    multipleShipment: bool(row, 'multiple_shipment'),
    carrier: { id: int(row, 'carrier_id'), name: text(row, 'carrier_name'), provider: text(row, 'provider') },
    orderPrefix: text(row, 'order_prefix'),
    sendNoteOnOrder: bool(row, 'send_note_on_order'),
  };
}

function toAccount(row: Row): AccountRecord {
  return {
    id: int(row, 'id'),
    name: text(row, 'name'),
    email: text(row, 'email'),
    phone: text(row, 'phone'),
    locale: text(row, 'locale'),
    companyName: text(row, 'company_name'),
    companyLogo: text(row, 'company_logo'),
    companyColor: text(row, 'company_color'),
    supportEmail: text(row, 'support_email'),
    supportPhone: text(row, 'support_phone'),
    trackerPageContactInfo: jsonObjectOrNull(row, 'tracker_page_contact_info'),
    enableApi: bool(row, 'enable_api'),
    canUseCollectionPoints: bool(row, 'can_use_collection_points'),
    enableSortByWarehouse: bool(row, 'enable_sort_by_warehouse'),
    displayOrderProduct: bool(row, 'display_order_product'),
    displayProductPriceInOrderDetail: bool(row, 'display_product_price_in_order_detail'),
    displayOrderNumberBarcode: bool(row, 'display_order_number_barcode'),
    labelMethod: text(row, 'label_method'),
    labelType: text(row, 'label_type'),
    clientId: text(row, 'client_id'),
    clientSecretLast4: text(row, 'client_secret_last4'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
