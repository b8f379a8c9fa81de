import type { JsonObject } from '../../domain/shipment.js';
import type { Executor, Row } from '../database.js';
import { bool, bytesOrNull, int, iso, isoOrNull, json, jsonObject, text, textOrNull } from '../row.js';

/** The switches of `license_settings` that only labels and presenters read, by their column. */
export const SETTINGS_FLAGS = [
  'print_products',
  'print_variations',
  'print_customer_detail_sku_and_quantity_bold_in_label',
  'print_products_on_label_notes',
  'print_products_on_a4_label_notes',
  'print_products_name',
  'print_products_sku',
  'print_virtual_product_on_note',
  'enable_cod',
  'separate_street_and_number',
  'get_street_number_with_suffix',
  'display_shipping_line_number',
  'send_note_on_order',
] as const;

/** Name of one of those switches. */
export type SettingsFlag = (typeof SETTINGS_FLAGS)[number];

/** One provider's settings of a license, without its secrets. */
export interface LicenseSettingsRecord {
  id: number;
  providerId: number;
  provider: string;
  settings: JsonObject;
  collectStreet: string;
  collectStreetNumber: string;
  collectCity: string;
  collectCompany: string;
  flags: Record<SettingsFlag, boolean>;
  labelMethod: string;
  labelType: string;
  orderPrefix: string;
  createdAt: string;
  updatedAt: string;
}

/** A license in full. Timestamps: ISO 8601 UTC with microseconds. */
export interface LicenseRecord {
  id: number;
  accountId: number;
  key: string;
  name: string;
  company: { id: number; name: string; carrier: { id: number; name: string } };
  commitmentDay: number;
  multipleShipment: boolean;
  isActive: boolean;
  expiresAt: string | null;
  domain: string | null;
  startedAt: string | null;
  /** Order statuses for which no shipment may be made; null when all may. */
  blockedStatuses: unknown;
  createdAt: string;
  updatedAt: string;
  /** One row a provider, by ascending id. */
  settings: LicenseSettingsRecord[];
}

/** What an adapter's call needs; `secrets` are still encrypted. */
export interface CarrierAccountRecord {
  licenseId: number;
  provider: string;
  settings: JsonObject;
  secrets: Buffer | null;
  collectFrom: { street: string; number: string; city: string; company: string };
}

/** Every license of an account, by ascending id, with its settings: one statement. */
export async function listLicenses(db: Executor, accountId: number): Promise<LicenseRecord[]> {
  const rows = await db.select(
    `SELECT l.*, c.name AS company_name, r.id AS carrier_id, r.name AS carrier_name,
       t.id AS settings_id, t.provider_id, p.provider AS settings_provider, t.settings, t.collect_street, t.collect_street_number, t.collect_city,
       t.collect_company, ${SETTINGS_FLAGS.map((flag) => `t.${flag}`).join(', ')},
       t.label_method, t.label_type, t.order_prefix,
       t.created_at AS settings_created_at, t.updated_at AS settings_updated_at
     FROM licenses l
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id
     LEFT JOIN carriers p ON p.id = t.provider_id
     WHERE l.account_id = ?
     ORDER BY l.id, t.id`,
    [accountId],
  );
  const byId = new Map<number, LicenseRecord>();
  for (const row of rows) {
    const id = int(row, 'id');
    const license = byId.get(id) ?? toLicense(row);
    byId.set(id, license);
    if (row.settings_id !== null) license.settings.push(toSettings(row));
  }
  return [...byId.values()];
}

/** A license's settings for a provider, whichever carrier its company has by now; null when there are none. */
export async function getCarrierAccount(
  db: Executor,
  args: { licenseId: number; provider: string },
): Promise<CarrierAccountRecord | null> {
  const [row] = await db.select(
    `SELECT t.license_id, r.provider, t.settings, t.secrets,
       t.collect_street, t.collect_street_number, t.collect_city, t.collect_company
     FROM license_settings t
     JOIN carriers r ON r.id = t.provider_id
     WHERE t.license_id = ? AND r.provider = ?`,
    [args.licenseId, args.provider],
  );
  if (row === undefined) return null;
  return {
    licenseId: int(row, 'license_id'),
    provider: text(row, 'provider'),
    settings: jsonObject(row, 'settings'),
    secrets: bytesOrNull(row, 'secrets'),
    collectFrom: {
      street: text(row, 'collect_street'),
      number: text(row, 'collect_street_number'),
      city: text(row, 'collect_city'),
      company: text(row, 'collect_company'),
    },
  };
}

/** What decides whether a carrier's webhook for a license is taken; null without settings for its carrier. */
export async function findInboundLicense(
  db: Executor,
  licenseId: number,
): Promise<{ provider: string; generation: number } | null> {
  const [row] = await db.select(
    `SELECT r.provider, l.inbound_generation
     FROM licenses l
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id
     WHERE l.id = ?`,
    [licenseId],
  );
  if (row === undefined) return null;
  return {
    provider: text(row, 'provider'),
    generation: int(row, 'inbound_generation'),
  };
}

/** Retires the address of a license's carrier webhooks; the next generation counts from now on. */
export async function rotateInboundAddress(db: Executor, licenseId: number): Promise<void> {
  await db.run('UPDATE licenses SET inbound_generation = inbound_generation + 1 WHERE id = ?', [licenseId]);
}

function toLicense(row: Row): LicenseRecord {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    key: text(row, 'license_key'),
    name: text(row, 'name'),
    company: {
      id: int(row, 'company_id'),
      name: text(row, 'company_name'),
      carrier: { id: int(row, 'carrier_id'), name: text(row, 'carrier_name') },
    },
    commitmentDay: int(row, 'commitment_day'),
    multipleShipment: bool(row, 'multiple_shipment'),
    isActive: bool(row, 'is_active'),
    expiresAt: isoOrNull(row, 'expires_at'),
    domain: textOrNull(row, 'domain'),
    startedAt: isoOrNull(row, 'started_at'),
    blockedStatuses: json(row, 'blocked_statuses'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
    settings: [],
  };
}

function toSettings(row: Row): LicenseSettingsRecord {
  return {
    id: int(row, 'settings_id'),
    providerId: int(row, 'provider_id'),
    provider: text(row, 'settings_provider'),
    settings: jsonObject(row, 'settings'),
    collectStreet: text(row, 'collect_street'),
    collectStreetNumber: text(row, 'collect_street_number'),
    collectCity: text(row, 'collect_city'),
    collectCompany: text(row, 'collect_company'),
    flags: toFlags(row),
    labelMethod: text(row, 'label_method'),
    labelType: text(row, 'label_type'),
    orderPrefix: text(row, 'order_prefix'),
    createdAt: iso(row, 'settings_created_at'),
    updatedAt: iso(row, 'settings_updated_at'),
  };
}

function toFlags(row: Row): Record<SettingsFlag, boolean> {
  return {
    print_products: bool(row, 'print_products'),
    print_variations: bool(row, 'print_variations'),
    print_customer_detail_sku_and_quantity_bold_in_label: bool(
      row,
      'print_customer_detail_sku_and_quantity_bold_in_label',
    ),
    print_products_on_label_notes: bool(row, 'print_products_on_label_notes'),
    print_products_on_a4_label_notes: bool(row, 'print_products_on_a4_label_notes'),
    print_products_name: bool(row, 'print_products_name'),
    print_products_sku: bool(row, 'print_products_sku'),
    print_virtual_product_on_note: bool(row, 'print_virtual_product_on_note'),
    enable_cod: bool(row, 'enable_cod'),
    separate_street_and_number: bool(row, 'separate_street_and_number'),
    get_street_number_with_suffix: bool(row, 'get_street_number_with_suffix'),
    display_shipping_line_number: bool(row, 'display_shipping_line_number'),
    send_note_on_order: bool(row, 'send_note_on_order'),
  };
}
