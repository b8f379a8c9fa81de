import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { carriers, companies, licenseSettings, licenses } from '../../tables/index.js';
import { type Condition, type IdPage, selectAfterId } from '../keyset.js';

const l = licenses.as('l');
const c = companies.as('c');
const r = carriers.as('r');
const t = licenseSettings.as('t');

/** The switches of `license_settings` that only labels and presenters read, by their public names. */
const FLAGS = {
  print_products: t.printProducts,
  print_variations: t.printVariations,
  print_customer_detail_sku_and_quantity_bold_in_label: t.printCustomerDetailSkuAndQuantityBoldInLabel,
  print_products_on_label_notes: t.printProductsOnLabelNotes,
  print_products_on_a4_label_notes: t.printProductsOnA4LabelNotes,
  print_products_name: t.printProductsName,
  print_products_sku: t.printProductsSku,
  print_virtual_product_on_note: t.printVirtualProductOnNote,
  enable_cod: t.enableCod,
  separate_street_and_number: t.separateStreetAndNumber,
  get_street_number_with_suffix: t.getStreetNumberWithSuffix,
  display_shipping_line_number: t.displayShippingLineNumber,
  send_note_on_order: t.sendNoteOnOrder,
};

/** Name of one of those switches. */
export type SettingsFlag = keyof typeof FLAGS;

/** The names of those switches. */
export const SETTINGS_FLAGS: readonly string[] = Object.keys(FLAGS);

const COLLECT_FROM = shape({
  street: t.collectStreet,
  number: t.collectStreetNumber,
  city: t.collectCity,
  company: t.collectCompany,
});

const SETTINGS = shape({
  id: t.id,
  providerId: t.providerId,
  provider: carriers.as('p').provider,
  settings: t.settings,
  collectStreet: t.collectStreet,
  collectStreetNumber: t.collectStreetNumber,
  collectCity: t.collectCity,
  collectCompany: t.collectCompany,
  flags: shape(FLAGS),
  labelMethod: t.labelMethod,
  labelType: t.labelType,
  orderPrefix: t.orderPrefix,
  createdAt: t.createdAt,
  updatedAt: t.updatedAt,
});

const TABLES = 'licenses l JOIN companies c ON c.id = l.company_id JOIN carriers r ON r.id = c.carrier_id';
const LICENSE = shape({
  id: l.id,
  accountId: l.accountId,
  key: l.licenseKey,
  name: l.name,
  company: shape({ id: c.id, name: c.name, carrier: shape({ id: r.id, name: r.name }) }),
  commitmentDay: l.commitmentDay,
  multipleShipment: l.multipleShipment,
  isSandbox: l.isSandbox,
  isActive: l.isActive,
  expiresAt: l.expiresAt,
  domain: l.domain,
  startedAt: l.startedAt,
  blockedStatuses: l.blockedStatuses,
  createdAt: l.createdAt,
  updatedAt: l.updatedAt,
});
const LICENSE_AND_SETTINGS = shape({ license: LICENSE, settings: SETTINGS.or(null) });

/** One provider's settings of a license, without its secrets. */
export type LicenseSettingsRecord = Selected<typeof SETTINGS>;

/** A license in full. Timestamps: ISO 8601 UTC with microseconds. `settings`: one row a provider, by ascending id. */
export type LicenseRecord = Selected<typeof LICENSE> & { settings: LicenseSettingsRecord[] };

const CARRIER_ACCOUNT = shape({
  licenseId: t.licenseId,
  provider: r.provider,
  settings: t.settings,
  secrets: t.secrets,
  collectFrom: COLLECT_FROM,
});

/** The account data that a carrier call needs; `secrets` are still encrypted. */
export type CarrierAccountRecord = Selected<typeof CARRIER_ACCOUNT>;

/** Every license of an account, by ascending id, with its settings: one statement. */
export async function listLicenses(db: Executor, accountId: number): Promise<LicenseRecord[]> {
  const rows = await LICENSE_AND_SETTINGS.select(
    db,
    `FROM ${TABLES}
     LEFT JOIN license_settings t ON t.license_id = l.id
     LEFT JOIN carriers p ON p.id = t.provider_id
     WHERE l.account_id = ?
     ORDER BY l.id, t.id`,
    [accountId],
  );
  const byId = new Map<number, LicenseRecord>();
  for (const { license, settings } of rows) {
    const known = byId.get(license.id) ?? { ...license, settings: [] };
    byId.set(license.id, known);
    if (settings !== null) known.settings.push(settings);
  }
  return [...byId.values()];
}

/** A license's settings for a provider, whichever carrier its company has by now; null when there are none. */
export async function getCarrierAccount(
  db: Executor,
  args: { licenseId: number; provider: string },
): Promise<CarrierAccountRecord | null> {
  return await CARRIER_ACCOUNT.first(
    db,
    `FROM license_settings t
     JOIN carriers r ON r.id = t.provider_id
     WHERE t.license_id = ? AND r.provider = ?`,
    [args.licenseId, args.provider],
  );
}

/** The settings that admit a carrier's webhook for a license; null without settings for its carrier. */
export async function findInboundLicense(
  db: Executor,
  licenseId: number,
): Promise<{ provider: string; generation: number } | null> {
  return await shape({ provider: r.provider, generation: l.inboundGeneration }).first(
    db,
    `FROM ${TABLES}
     JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id
     WHERE l.id = ?`,
    [licenseId],
  );
}

/** Retires the address of a license's carrier webhooks; the next generation becomes valid. */
export async function rotateInboundAddress(db: Executor, licenseId: number): Promise<void> {
  await db.run('UPDATE licenses SET inbound_generation = inbound_generation + 1 WHERE id = ?', [licenseId]);
}

const HEAD = shape({
  id: l.id,
  key: l.licenseKey,
  name: l.name,
  accountId: l.accountId,
  companyId: l.companyId,
  /** Its name, by which people know the carrier. */
  company: c.name,
  carrierId: r.id,
  provider: r.provider,
  isActive: l.isActive,
  expiresAt: l.expiresAt,
});

/** A license in the list of all licenses. `expiresAt`: ISO 8601 UTC with microseconds. */
export type LicenseHead = Selected<typeof HEAD>;

/** Licenses after an id, by ascending id; of one account, or of all. */
export async function listLicenseHeads(
  db: Executor,
  page: IdPage & { accountId: number | undefined },
): Promise<LicenseHead[]> {
  const where: Condition[] = [['l.account_id = ?', page.accountId]];
  return await selectAfterId(db, HEAD, { from: TABLES, where, id: 'l.id' }, page);
}

/** The license with this id or key; null when there is none. Digits alone always mean an id; `key:12` is a key. */
export async function findLicenseHead(db: Executor, keyOrId: string): Promise<LicenseHead | null> {
  if (/^[1-9]\d{0,15}$/.test(keyOrId)) {
    return await HEAD.first(db, `FROM ${TABLES} WHERE l.id = ?`, [Number(keyOrId)]);
  }
  const key = keyOrId.replace(/^key:/, '');
  const byKey = await HEAD.first(db, `FROM ${TABLES} WHERE l.license_key = ?`, [key]);
  // MySQL ignores trailing spaces in comparisons of this collation.
  return byKey?.key === key ? byKey : null;
}
