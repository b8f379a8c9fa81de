import type { JsonObject } from '../../../domain/shipment.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { companies, licenseSettings, licenses } from '../../tables/index.js';
import type { ChangesOf, RowOf } from '../../tables/table.js';
import type { SettingsFlag } from './licenses.js';

/** Inserts a company of a carrier and gives its id. */
export async function insertCompany(
  db: Executor,
  company: { carrierId: number; name: string; isPremium?: boolean | undefined },
): Promise<number> {
  return await companies.insert(db, company);
}

/** The changeable fields of a license. `expiresAt` and `startedAt`: ISO 8601 UTC. */
export type LicenseColumns = Omit<ChangesOf<typeof licenses>, 'id' | 'accountId' | 'licenseKey'> & {
  key?: string | undefined;
};

/** A new license; omitted fields get the column's default. */
export type NewLicense = LicenseColumns &
  Pick<RowOf<typeof licenses>, 'accountId' | 'companyId' | 'name'> & { id?: number | undefined; key: string };

/** Inserts a license and gives its id. */
export async function insertLicense(db: Executor, license: NewLicense): Promise<number> {
  const { key, ...values } = license;
  return await licenses.insert(db, { ...values, licenseKey: key });
}

/** Changes the given fields. @throws DatabaseError a duplicate: the key is taken */
export async function updateLicense(db: Executor, licenseId: number, changes: LicenseColumns): Promise<void> {
  const { key, ...values } = changes;
  await licenses.update(db, { id: licenseId, accountId: undefined }, { ...values, licenseKey: key });
}

/**
 * Binds the license to the domain unless it has one, and sets its start. One statement, so that the first of two stores
 * activating at once wins. `startedAt`: ISO 8601 UTC.
 */
export async function bindLicense(
  db: Executor,
  { licenseId, domain, startedAt }: { licenseId: number; domain: string; startedAt: string },
): Promise<void> {
  await db.run(`UPDATE licenses SET started_at = ?, domain = COALESCE(NULLIF(domain, ''), ?) WHERE id = ?`, [
    isoToSql(startedAt),
    domain,
    licenseId,
  ]);
}

const STORED = ['id', 'settings', 'secrets', 'collectStreet', 'collectCity'] as const;

/** A license's stored settings for a carrier, secrets sealed; null when there are none. */
export async function findStoredSettings(
  db: Executor,
  { licenseId, carrierId }: { licenseId: number; carrierId: number },
): Promise<Pick<RowOf<typeof licenseSettings>, (typeof STORED)[number]> | null> {
  const stored = licenseSettings.pick(...STORED);
  return await licenseSettings.findOne(db, stored, { licenseId, providerId: carrierId }, { lock: true });
}

/** Settings of a license for one provider, their switches by public names; `secrets` are encrypted already. */
export type SettingsColumns = Omit<ChangesOf<typeof licenseSettings>, 'id' | 'licenseId' | 'providerId'> & {
  flags?: Partial<Record<SettingsFlag, boolean | undefined>> | undefined;
};

/** Inserts a license's settings for a carrier. Omitted fields get the column's default. */
export async function insertLicenseSettings(
  db: Executor,
  values: SettingsColumns & { licenseId: number; providerId: number; settings: JsonObject },
): Promise<number> {
  return await licenseSettings.insert(db, withFlags(values));
}

/** Changes the given settings of a license. */
export async function updateLicenseSettings(
  db: Executor,
  settingsId: number,
  changes: SettingsColumns,
): Promise<void> {
  await licenseSettings.update(db, { id: settingsId }, withFlags(changes));
}

/** The columns with those of the given switches. */
function withFlags({ flags = {}, ...values }: SettingsColumns) {
  return {
    ...values,
    printProducts: flags.print_products,
    printVariations: flags.print_variations,
    printCustomerDetailSkuAndQuantityBoldInLabel: flags.print_customer_detail_sku_and_quantity_bold_in_label,
    printProductsOnLabelNotes: flags.print_products_on_label_notes,
    printProductsOnA4LabelNotes: flags.print_products_on_a4_label_notes,
    printProductsName: flags.print_products_name,
    printProductsSku: flags.print_products_sku,
    printVirtualProductOnNote: flags.print_virtual_product_on_note,
    enableCod: flags.enable_cod,
    separateStreetAndNumber: flags.separate_street_and_number,
    getStreetNumberWithSuffix: flags.get_street_number_with_suffix,
    displayShippingLineNumber: flags.display_shipping_line_number,
    sendNoteOnOrder: flags.send_note_on_order,
  };
}
