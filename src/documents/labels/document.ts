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

/** Part of the hash: a changed design must not be answered with documents of the old one. */
export const DESIGN_VERSION = 6;
const MAX_ORDER_NUMBER = 191;
/** The longest that a caller may send, so that none is cut but by the room on paper. */
const MAX_NOTE = 1000;
const MAX_POINT_ID = 24;

/** One printed label. */
export interface Label {
  kind: 'delivery' | 'collection' | 'return';
  /** The shipment is cancelled: nobody is to send the parcel with this label. */
  isCancelled?: true;
  trackingCode: string;
  /** Address behind the QR code. */
  trackingUrl: string;
  carrier: string;
  from: Party;
  to: Party;
  package: { number: number; of: number };
  /** Collected with this package, which is the first. */
  cash: Money | null;
  /** The cash of the shipment is collected with its first package. */
  paidWithFirst: boolean;
  /** Captions of what is special about the parcel. */
  badges: string[];
  /** Y-m-d in Israel on which the shipment was made. */
  date: string;
  orderNumber: string;
  orderBarcode: boolean;
  shelf: string | null;
  notes: string[];
  products: Product[];
  /** How many more the order has; undefined where there are none. */
  moreProducts?: number;
  productsBold: boolean;
}

/** A product's line; `text` holds what the license's switches let through. */
export interface Product {
  quantity: number;
  text: string;
  sku: string | null;
}

/** All that goes on paper, and the hash of it: equal documents have equal hashes. */
export interface LabelDocument {
  type: LabelType;
  locale: string;
  /** Blank slots before the first label; 0 unless on A4. */
  blankSlots: number;
  merchant: { name: string; logo: string };
  labels: Label[];
  /** SHA-256 in hex. */
  hash: string;
}

/**
 * The labels of these shipments: one a package, and one for the way back of a round trip. A set of many takes a tenth of
 * a second in all: the process does its other work between the shipments. A single one is composed without a pause.
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
  // Of the JSON of the whole, bit by bit.
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

/** What follows the labels in the JSON that is hashed. */
const END = ']}]';

/**
 * The labels of a shipment as they are hashed: as JSON, in which products that are those of the label before are left
 * out. An order of a hundred lines would be hashed once a package otherwise.
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
    orderNumber: cleanEnds(shipment.order.number, MAX_ORDER_NUMBER),
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

/** What else the phone field holds, and the notes. */
function notesOf({ recipient, details, account }: LabelSource): string[] {
  const others = readPhone(recipient.phone)?.others ?? '';
  const phones = others === '' ? null : `${captionsOf(account.locale).phone} ${others}`;
  return [phones, details.note, details.extraNote]
    .map((note) => cleanEnds(note ?? '', MAX_NOTE))
    .filter((note) => note !== '');
}

function cancelledMark(shipment: LabelSource['shipment']): Pick<Label, 'isCancelled'> {
  return isCancelled(shipment) ? { isCancelled: true } : {};
}

/** Names unless the license asks for SKUs only; goods that are not sent stay out unless it wants them. */
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

/** A point's code where the badge has room for it: half of one would send the courier nowhere. */
function wholeOrNothing(pointId: string): string {
  return Array.from(pointId).length > MAX_POINT_ID ? '' : clean(pointId, MAX_POINT_ID);
}
