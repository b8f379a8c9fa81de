import type { JsonObject } from '../../../domain/shipment.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { carriers, companies, licenseSettings, licenses } from '../../tables/index.js';
import type { SettingsFlag } from './licenses.js';

/** Id of a provider's row in `carriers`; null when the carriers are not synchronised yet. */
export async function findCarrierId(db: Executor, provider: string): Promise<number | null> {
  const carrier = await carriers.findOne(db, carriers.pick('id'), { provider });
  return carrier && carrier.id;
}

/** Inserts a company of a carrier and gives its id. */
export async function insertCompany(
  db: Executor,
  company: { carrierId: number; name: string; isPremium?: boolean },
): Promise<number> {
  return await companies.insert(db, company);
}

/** A new license; omitted fields get the column's default. `expiresAt` and `startedAt`: ISO 8601 UTC. */
export interface NewLicense {
  id?: number | undefined;
  accountId: number;
  companyId: number;
  key: string;
  name: string;
  commitmentDay?: number | undefined;
  multipleShipment?: boolean | undefined;
  isActive?: boolean | undefined;
  expiresAt?: string | null | undefined;
  domain?: string | null | undefined;
  startedAt?: string | null | undefined;
  blockedStatuses?: readonly string[] | undefined;
}

/** Inserts a license and gives its id. */
export async function insertLicense(db: Executor, license: NewLicense): Promise<number> {
  const { key, ...values } = license;
  return await licenses.insert(db, { ...values, licenseKey: key });
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

/** New settings of a license for one provider; omitted fields get the column's default. */
export interface NewLicenseSettings {
  licenseId: number;
  /** Id of the carrier. */
  providerId: number;
  settings: JsonObject;
  /** Already encrypted. */
  secrets?: Buffer | null | undefined;
  collectFrom?: Partial<Record<'street' | 'number' | 'city' | 'company', string | undefined>>;
  flags?: Partial<Record<SettingsFlag, boolean | undefined>> | undefined;
  labelMethod?: string | undefined;
  labelType?: string | undefined;
  orderPrefix?: string | undefined;
}

/** Inserts a license's settings for one provider and gives the row's id. */
export async function insertLicenseSettings(db: Executor, values: NewLicenseSettings): Promise<number> {
  const { licenseId, providerId, ...settings } = values;
  return await licenseSettings.insert(db, { licenseId, providerId, ...settingsColumns(settings) });
}

/** The columns of the given settings; undefined for the others. */
export function settingsColumns({
  collectFrom,
  flags = {},
  ...values
}: Partial<Omit<NewLicenseSettings, 'licenseId' | 'providerId'>>) {
  return {
    ...values,
    collectStreet: collectFrom?.street,
    collectStreetNumber: collectFrom?.number,
    collectCity: collectFrom?.city,
    collectCompany: collectFrom?.company,
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
