import { metaEntries } from './meta-data.js';
import type { PickupPlace } from './recipient-words/pickup-place.js';
import type { Recipient, ShipmentRecord } from './shipment.js';

/** Paper: a sheet of eight labels, or a roll 74 mm wide with one label a page. */
export type LabelType = 'A4' | 'thermal';

/** Order of the labels by warehouse location; null leaves the order in which they were asked for. */
export type WarehouseSort = 'asc' | 'desc' | null;

/** What a caller chooses of a document; null takes what the license, then the account, says. */
export interface LabelOptions {
  labelType: LabelType | null;
  /** Slot of the first label on an A4 sheet, 1 to 8; those before it stay blank. */
  position: number;
  /** Undefined where the caller did not say: then the account's switch decides. */
  sort: WarehouseSort | undefined;
  /** Another direction for labels that are sorted anyway; sorts nothing by itself. */
  direction?: NonNullable<WarehouseSort>;
}

/** A document of one label, or of many, on nothing chosen. */
export const DEFAULT_LABEL_OPTIONS: LabelOptions = { labelType: null, position: 1, sort: undefined };

/** Labels of one document, one a package, at most: printing that many takes a browser some ten seconds. */
export const MAX_LABELS = 500;

/** Slots of an A4 sheet. */
export const SLOTS_PER_SHEET = 8;

/** The license's switches that labels follow. */
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

/** A line of the order as labels print it. */
export interface LabelItem {
  name: string;
  sku: string | null;
  variation: string | null;
  quantity: number;
  virtual: boolean;
}

/** Everything that a label of one shipment can show. */
export interface LabelSource {
  shipment: ShipmentRecord;
  /** What people know the carrier as. */
  carrierName: string;
  /** Whom the carrier was told. */
  recipient: Recipient;
  details: {
    note: string | null;
    extraNote: string | null;
    urgent: boolean;
  };
  /** Where the parcel's pickup point is; null where it has none, or nobody says. */
  pickupPlace: PickupPlace | null;
  /** Where in the warehouse the goods lie; null where the store does not say. */
  warehouseLocation: string | null;
  /** The first lines of the order. */
  items: readonly LabelItem[];
  /** Lines of the order beyond those. */
  moreItems: number;
  /** Empty where the license does not say. */
  license: { labelMethod: string; labelType: string };
  flags: PrintFlags;
  collectFrom: { street: string; number: string; city: string; company: string };
  account: LabelAccount;
}

/** What labels show of the merchant. */
export interface LabelAccount {
  name: string;
  companyName: string;
  /** Address of the logo, or empty. */
  companyLogo: string;
  phone: string;
  supportPhone: string;
  locale: string;
  labelMethod: string;
  labelType: string;
  sortByWarehouse: boolean;
  orderNumberBarcode: boolean;
}

/** Whether the label of a shipment says that it is not to be used. */
export function isCancelled({ status }: Pick<ShipmentRecord, 'status'>): boolean {
  return status.code === 'cancelled';
}

const BUILTIN = 'builtin';

/** Whether our renderer makes the label: the license says, else the account. */
export function isBuiltinMethod(source: Pick<LabelSource, 'license' | 'account'>): boolean {
  const method = source.license.labelMethod || source.account.labelMethod || BUILTIN;
  return method.toLowerCase() === BUILTIN;
}

/** The paper: the license says, else the account; anything but A4 is thermal. */
export function labelTypeOf(source: Pick<LabelSource, 'license' | 'account'>): LabelType {
  const type = source.license.labelType || source.account.labelType;
  return type.toUpperCase() === 'A4' ? 'A4' : 'thermal';
}

/** Whether any text of the products goes on labels, so that they need be read at all. */
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
 * Where in the warehouse the order's goods lie: the `warehouse_location` of the order's meta data, given as an
 * object or as WooCommerce's list of `{ key, value }`. Null when there is none.
 */
export function warehouseLocation(metaData: unknown): string | null {
  for (const [key, value] of metaEntries(metaData)) {
    if (!LOCATION_KEYS.has(key)) continue;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return null;
}

/** Code points of a location that its place in the order follows from. */
const MAX_COMPARED = 64;
/** More marks on a letter than any script needs: a comparison of rows of 250 takes some ten milliseconds. */
const ROW_OF_MARKS = /(\p{M}{4})\p{M}+/gu;

const byNumber = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The sources by warehouse location, `A-2` before `A-10`; those without one stay last, in their order. */
export function sortByWarehouse(sources: readonly LabelSource[], sort: WarehouseSort): LabelSource[] {
  if (sort === null) return [...sources];
  return sortByLocation(
    sources.map((item) => ({ item, location: item.warehouseLocation })),
    sort,
  );
}

/** The items by the first 64 code points of their location, as {@link sortByWarehouse}. */
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

function comparedOf(location: string): string {
  return [...location.replace(ROW_OF_MARKS, '$1')].slice(0, MAX_COMPARED).join('');
}
