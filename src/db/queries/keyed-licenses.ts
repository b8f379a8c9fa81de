import type { Executor, Row } from '../database.js';
import { bool, int, iso, isoOrNull, json, text, textOrNull } from '../row.js';
import type { LicenseSummary } from './accounts.js';

/** A license as API v1 finds it by its key alone. Timestamps: ISO 8601 UTC with microseconds. */
export interface KeyedLicense extends LicenseSummary {
  accountId: number;
  companyId: number;
  /** Name of its company. */
  company: string;
  carrier: LicenseSummary['carrier'] & { createdAt: string; updatedAt: string };
  domain: string | null;
  /** Whether its company is for premium members only. */
  isPremium: boolean;
  /** Order statuses for which no shipment may be made. */
  blockedStatuses: string[];
  /** Empty texts where the license has no collection address. */
  collectFrom: { street: string; number: string; city: string; company: string };
  printProductsOnLabelNotes: boolean;
  printProductsSku: boolean;
  printVariations: boolean;
  printVirtualProductOnNote: boolean;
}

/** The license of a key (case-sensitive), usable or not, in one statement; null when there is none. */
export async function findLicenseByKey(db: Executor, key: string): Promise<KeyedLicense | null> {
  const [row] = await db.select(
    `SELECT l.id, l.account_id, l.company_id, l.license_key, l.name, l.is_active, l.expires_at, l.multiple_shipment,
       l.domain, l.blocked_statuses, c.name AS company_name, c.is_premium, a.name AS account_name,
       r.id AS carrier_id, r.name AS carrier_name, r.provider, r.created_at AS carrier_created_at,
       r.updated_at AS carrier_updated_at,
       COALESCE(t.order_prefix, '') AS order_prefix, COALESCE(t.send_note_on_order, 1) AS send_note_on_order,
       COALESCE(t.print_products_on_label_notes, 0) AS print_products_on_label_notes,
       COALESCE(t.print_products_sku, 0) AS print_products_sku,
       COALESCE(t.print_variations, 0) AS print_variations,
       COALESCE(t.print_virtual_product_on_note, 0) AS print_virtual_product_on_note,
       COALESCE(t.collect_street, '') AS collect_street,
       COALESCE(t.collect_street_number, '') AS collect_street_number,
       COALESCE(t.collect_city, '') AS collect_city, COALESCE(t.collect_company, '') AS collect_company
     FROM licenses l
     JOIN accounts a ON a.id = l.account_id
     JOIN companies c ON c.id = l.company_id
     JOIN carriers r ON r.id = c.carrier_id
     LEFT JOIN license_settings t ON t.license_id = l.id AND t.provider_id = c.carrier_id
     WHERE l.license_key = ?`,
    [key],
  );
  // MySQL ignores trailing spaces in comparisons of this collation.
  return row === undefined || text(row, 'license_key') !== key ? null : toKeyedLicense(row);
}

function toKeyedLicense(row: Row): KeyedLicense {
  return {
    id: int(row, 'id'),
    accountId: int(row, 'account_id'),
    companyId: int(row, 'company_id'),
    company: text(row, 'company_name'),
    key: text(row, 'license_key'),
    name: text(row, 'name'),
    merchant: text(row, 'account_name'),
    isActive: bool(row, 'is_active'),
    expiresAt: isoOrNull(row, 'expires_at'),
    multipleShipment: bool(row, 'multiple_shipment'),
    domain: textOrNull(row, 'domain'),
    isPremium: bool(row, 'is_premium'),
    blockedStatuses: texts(json(row, 'blocked_statuses')),
    carrier: {
      id: int(row, 'carrier_id'),
      name: text(row, 'carrier_name'),
      provider: text(row, 'provider'),
      createdAt: iso(row, 'carrier_created_at'),
      updatedAt: iso(row, 'carrier_updated_at'),
    },
    orderPrefix: text(row, 'order_prefix'),
    sendNoteOnOrder: bool(row, 'send_note_on_order'),
    printProductsOnLabelNotes: bool(row, 'print_products_on_label_notes'),
    printProductsSku: bool(row, 'print_products_sku'),
    printVariations: bool(row, 'print_variations'),
    printVirtualProductOnNote: bool(row, 'print_virtual_product_on_note'),
    collectFrom: {
      street: text(row, 'collect_street'),
      number: text(row, 'collect_street_number'),
      city: text(row, 'collect_city'),
      company: text(row, 'collect_company'),
    },
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
