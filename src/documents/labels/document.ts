import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import {
  isCancelled,
  type LabelItem,
  type LabelOptions,
  type LabelSource,
  type LabelType,
  labelTypeOf,
  SLOTS_PER_SHEET,
  sortByWarehouse,
} from '../../domain/labels.js';
import { readPhone } from '../../domain/phone.js';
import { publicCarrierName } from '../../domain/recipient-words/carrier-names.js';
import type { Money } from '../../domain/shipment.js';
import { trackingUrl } from '../../domain/tracking-url.js';
import { dayInJerusalem } from '../../lib/time.js';
import { isBarcodeText } from './barcodes.js';
import { captionsOf } from './captions.js';
import { clean, cleanEnds, cleanOrNull } from './clean.js';
import { merchantOf, type Party, recipientOf } from './parties.js';

/** Part of the hash, so that a changed design is not answered with old documents. */
export const DESIGN_VERSION = 9;

export interface Label {
  kind: 'delivery' | 'collection' | 'return';
  /** Set when the shipment is cancelled and must not be sent. */
  isCancelled?: true;
  trackingCode: string;
  /** Target of the QR code. */
  trackingUrl: string;
  carrier: string;
  from: Party;
  to: Party;
  package: { number: number; of: number };
  /** Collected with this package, the first. */
  cash: Money | null;
  /** True on the other packages of a shipment with cash. */
  paidWithFirst: boolean;
  /** Captions of the parcel's special services. */
  badges: string[];
  /** Y-m-d in Israel, the shipment's creation. */
  date: string;
  orderNumber: string;
  orderBarcode: boolean;
  shelf: string | null;
  notes: string[];
  products: Product[];
  /** Number of products left out; undefined when none are. */
  moreProducts?: number;
  productsBold: boolean;
}

/** A product's line; the license's switches decide on `text`. */
export interface Product {
  quantity: number;
  text: string;
  sku: string | null;
}

/** All printed content and its hash: equal documents have equal hashes. */
export interface LabelDocument {
  type: LabelType;
  locale: string;
  /** Blank slots before the first label; 0 except on A4. */
  blankSlots: number;
  merchant: { name: string; logo: string };
  labels: Label[];
  /** SHA-256 in hex. */
  hash: string;
}

/**
 * Composes the labels of shipments: one per package, and one for the return of a round trip. Yields to other
 * work between shipments; a single one is composed without a pause.
 */
export async function composeLabels(
  sources: readonly LabelSource[],
  options: LabelOptions,
  context: { baseUrl: string },
): Promise<LabelDocument> {
  const [first] = sources;
  if (first === undefined) throw new Error('a label document needs a shipment');
  const { account } = first;
  const type = options.labelType ?? labelTypeOf(first);
  const asked = options.sort === undefined ? (account.sortByWarehouse ? 'asc' : null) : options.sort;
  const sort = asked === null ? null : (options.direction ?? asked);
  const head = {
    type,
    locale: account.locale,
    blankSlots: type === 'A4' ? (options.position - 1) % SLOTS_PER_SHEET : 0,
    merchant: { name: clean(account.companyName || account.name, 120), logo: account.companyLogo },
  };
  // Hashes the JSON of the whole document in pieces.
  const hash = createHash('sha256').update(
    JSON.stringify([DESIGN_VERSION, { ...head, labels: [] }]).slice(0, -END.length),
  );
  const labels: Label[] = [];
  for (const source of sortByWarehouse(sources, sort)) {
    if (labels.length > 0) await turn();
    const own = labelsOf(source, type, context);
    hash.update(`${labels.length > 0 ? ',' : ''}${hashedText(own)}`);
    labels.push(...own);
  }
  return { ...head, labels, hash: hash.update(END).digest('hex') };
}

/** Follows the labels in the hashed JSON. */
const END = ']}]';

/**
 * The JSON of a shipment's labels, for the hash. Products equal to the previous label's are left out; else a
 * long order is hashed once per package.
 */
function hashedText(labels: readonly Label[]): string {
  return labels
    .map((label, index) => {
      const isRepeated = label.products === labels[index - 1]?.products;
      return JSON.stringify(isRepeated ? { ...label, products: undefined } : label);
    })
    .join(',');
}

function labelsOf(source: LabelSource, type: LabelType, { baseUrl }: { baseUrl: string }): Label[] {
  const { shipment, flags } = source;
  const captions = captionsOf(source.account.locale);
  const recipient = recipientOf(source);
  const merchant = merchantOf(source);
  const collects = shipment.serviceType === 2;
  const products = productsOf(source.items, source);
  const more = source.moreItems > 0 ? { moreProducts: source.moreItems } : {};
  const onNotes = type === 'A4' ? flags.productsOnA4LabelNotes : flags.productsOnLabelNotes;
  const common = {
    ...cancelledMark(shipment),
    trackingCode: clean(shipment.trackingCode ?? '', 64),
    trackingUrl: trackingUrl(baseUrl, shipment.shortTrackingCode),
    carrier: clean(
      publicCarrierName({ ...shipment.carrier, name: source.carrierName }, captions.language),
      60,
    ),
    date: dayInJerusalem(new Date(shipment.createdAt)),
    orderNumber: cleanEnds(shipment.order.number, 191),
    orderBarcode: source.account.orderNumberBarcode && isBarcodeText(shipment.order.number),
    productsBold: flags.boldSkuAndQuantity,
  };
  const shelf = source.warehouseLocation;
  const outward = Array.from(
    { length: shipment.packages },
    (_, index): Label => ({
      ...common,
      kind: collects ? 'collection' : 'delivery',
      from: collects ? recipient : merchant,
      to: collects ? merchant : recipient,
      package: { number: index + 1, of: shipment.packages },
      cash: index === 0 ? shipment.cod : null,
      paidWithFirst: index > 0 && shipment.cod !== null,
      badges: badgesOf(source),
      shelf: shelf === null ? null : clean(shelf, 24),
      notes: notesOf(source),
      ...(flags.products || onNotes ? { products, ...more } : { products: [] }),
    }),
  );
  if (shipment.returnType !== 2) return outward;
  const back: Label = {
    ...common,
    kind: 'return',
    from: collects ? merchant : recipient,
    to: collects ? recipient : merchant,
    package: { number: 1, of: 1 },
    cash: null,
    paidWithFirst: false,
    badges: [captions.returning],
    shelf: null,
    notes: [],
    products: [],
  };
  return [...outward, back];
}

function badgesOf({ shipment, details, account }: LabelSource): string[] {
  const captions = captionsOf(account.locale);
  return [
    ...(shipment.serviceType === 2 ? [captions.collection] : []),
    ...(details.urgent ? [captions.urgent] : []),
    ...(shipment.returnType === 2 ? [captions.roundTrip] : []),
    ...(shipment.pickupPointId === null
      ? []
      : [`${captions.pickupPoint} ${wholeOrNothing(shipment.pickupPointId)}`.trim()]),
  ];
}

/** The rest of the phone field, and the notes. */
function notesOf({ recipient, details, account }: LabelSource): string[] {
  const others = readPhone(recipient.phone)?.others ?? '';
  const phones = others === '' ? null : `${captionsOf(account.locale).phone} ${others}`;
  // As long as a caller may send them: only the room on paper cuts them.
  return [phones, details.note, details.extraNote]
    .map((note) => cleanEnds(note ?? '', 1000))
    .filter((note) => note !== '');
}

function cancelledMark(shipment: LabelSource['shipment']): Pick<Label, 'isCancelled'> {
  return isCancelled(shipment) ? { isCancelled: true } : {};
}

/** Product names, unless the license asks for SKUs only. Goods that are not shipped appear only if it wants them. */
function productsOf(items: readonly LabelItem[], { flags }: LabelSource): Product[] {
  const names = flags.productNames || !flags.productSkus;
  return items
    .filter((item) => !item.virtual || flags.virtualProducts)
    .map((item) => {
      const variation = flags.variations ? cleanOrNull(item.variation, 80) : null;
      const parts = [...(names ? [clean(item.name, 120)] : []), ...(variation === null ? [] : [variation])];
      return {
        quantity: item.quantity,
        text: parts.join(' · '),
        sku: flags.productSkus || flags.boldSkuAndQuantity ? cleanOrNull(item.sku, 40) : null,
      };
    });
}

/** The point's code if it fits the badge: half of one would mislead the courier. */
function wholeOrNothing(pointId: string): string {
  return Array.from(pointId).length > 24 ? '' : clean(pointId, 24);
}
