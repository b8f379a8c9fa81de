import { metaEntries } from './meta-data.js';
import type { PickupPlace } from './recipient-words/pickup-place.js';
import type { CollectionPlace, OrderItem, Recipient, ShipmentDetails, ShipmentRecord } from './shipment.js';

/** Paper: a sheet of eight labels, or a 74 mm roll with one label per page. */
export type LabelType = 'A4' | 'thermal';

/** Label order by warehouse location; null keeps the requested order. */
export type WarehouseSort = 'asc' | 'desc' | null;

/** A caller's choices for a document; null uses the setting of the license, then the account. */
export interface LabelOptions {
  labelType: LabelType | null;
  /** Slot of the first label on an A4 sheet, 1 to 8; earlier slots stay blank. */
  position: number;
  /** Undefined uses the account's setting. */
  sort: WarehouseSort | undefined;
  /** Direction of labels that are sorted anyway; sorts nothing itself. */
  direction?: NonNullable<WarehouseSort>;
}

export const DEFAULT_LABEL_OPTIONS: LabelOptions = { labelType: null, position: 1, sort: undefined };

/** Slots of an A4 sheet. */
export const SLOTS_PER_SHEET = 8;

/** The license's switches for labels. */
export interface PrintFlags {
  products: boolean;
  variations: boolean;
  boldSkuAndQuantity: boolean;
  productsOnLabelNotes: boolean;
  productsOnA4LabelNotes: boolean;
  productNames: boolean;
  productSkus: boolean;
  virtualProducts: boolean;
}

/** A line of the order on a label. */
export type LabelItem = Omit<OrderItem, 'total'>;

/** Everything that a shipment's label can show. */
export interface LabelSource {
  shipment: ShipmentRecord;
  /** The carrier's name for people. */
  carrierName: string;
  /** The recipient as booked with the carrier. */
  recipient: Recipient;
  details: Pick<ShipmentDetails, 'note' | 'extraNote' | 'urgent'>;
  /** The parcel's pickup point; null when it has none or it is unknown. */
  pickupPlace: PickupPlace | null;
  /** Location of the goods in the warehouse; null when unknown. */
  warehouseLocation: string | null;
  /** The first lines of the order. */
  items: readonly LabelItem[];
  /** Number of further lines. */
  moreItems: number;
  /** Empty when the license does not set it. */
  license: { labelMethod: string; labelType: string };
  flags: PrintFlags;
  collectFrom: CollectionPlace;
  account: LabelAccount;
}

/** The merchant's data on labels. */
interface LabelAccount {
  name: string;
  companyName: string;
  /** URL of the logo, or empty. */
  companyLogo: string;
  phone: string;
  supportPhone: string;
  locale: string;
  labelMethod: string;
  labelType: string;
  sortByWarehouse: boolean;
  orderNumberBarcode: boolean;
}

/** Whether the label is marked as cancelled. */
export function isCancelled({ status }: Pick<ShipmentRecord, 'status'>): boolean {
  return status.code === 'cancelled';
}

const BUILTIN = 'builtin';

/** Whether our renderer makes the label, by the license's setting, else the account's. */
export function isBuiltinMethod(source: Pick<LabelSource, 'license' | 'account'>): boolean {
  const method = source.license.labelMethod || source.account.labelMethod || BUILTIN;
  return method.toLowerCase() === BUILTIN;
}

/** The paper, by the license's setting, else the account's; anything but A4 is thermal. */
export function labelTypeOf(source: Pick<LabelSource, 'license' | 'account'>): LabelType {
  const type = source.license.labelType || source.account.labelType;
  return type.toUpperCase() === 'A4' ? 'A4' : 'thermal';
}

/** Whether labels show product texts, so that the order's items must be read. */
export function printsProducts(flags: PrintFlags): boolean {
  return flags.products || flags.productsOnLabelNotes || flags.productsOnA4LabelNotes;
}

const LOCATION_KEYS: ReadonlySet<string> = new Set([
  'warehouse_location',
  '_warehouse_location',
  'shelf',
  '_shelf',
]);

/**
 * Warehouse location of the order's goods: `warehouse_location` in its meta data, an object or WooCommerce's
 * list of `{ key, value }`. Null when missing.
 */
export function warehouseLocation(metaData: unknown): string | null {
  for (const [key, value] of metaEntries(metaData)) {
    if (!LOCATION_KEYS.has(key)) continue;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** Collapses excess marks: comparing locations of 250 marks takes about ten milliseconds. */
const ROW_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

const byNumber = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts by warehouse location, `A-2` before `A-10`; those without one come last, in their order. */
export function sortByWarehouse(sources: readonly LabelSource[], sort: WarehouseSort): LabelSource[] {
  if (sort === null) return [...sources];
  return sortByLocation(
    sources.map((item) => ({ item, location: item.warehouseLocation })),
    sort,
  );
}

/** Sorts items like {@link sortByWarehouse}, by the first 64 code points of their location. */
export function sortByLocation<T>(
  located: readonly { item: T; location: string | null }[],
  sort: NonNullable<WarehouseSort>,
): T[] {
  const sign = sort === 'asc' ? 1 : -1;
  return located
    .map(({ item, location }) => ({ item, key: location === null ? null : comparedOf(location) }))
    .sort((one, other) => {
      if (one.key === null || other.key === null) {
        return Number(one.key === null) - Number(other.key === null);
      }
      return sign * byNumber.compare(one.key, other.key);
    })
    .map(({ item }) => item);
}

/** As far as it decides on the order. */
function comparedOf(location: string): string {
  return [...location.replace(ROW_OF_MARKS, '$1')].slice(0, 64).join('');
}
