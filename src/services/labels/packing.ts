import { listLabelSources } from '../../db/queries/labels/label-sources.js';
import { code128, MODULE_WIDTHS_MM } from '../../documents/labels/barcodes.js';
import { captionsOf } from '../../documents/labels/captions.js';
import { type Party, recipientOf } from '../../documents/labels/parties.js';
import { isCancelled, type LabelSource, labelTypeOf } from '../../domain/labels.js';
import type { PackedOrder } from '../../domain/packing.js';
import type { Language } from '../../domain/recipient-words/language.js';
import type { App } from '../app.js';
import type { LabelApp } from './label-parts.js';

/** A parcel's packing slip. */
interface Slip extends PackedOrder {
  /** ISO 8601 UTC. */
  createdAt: string;
  to: Party;
  /** The customer's and the shop's notes; empty texts are left out. */
  notes: string[];
  /** Order lines beyond those in `items`. */
  moreItems: number;
  packages: number;
  /** SVG of the tracking code as Code 128; null where it cannot be encoded. */
  barcode: string | null;
}

/** The goods packed for some shipments. */
export interface Packing {
  /** Of the merchant's labels: what lies in a parcel is in the language of its label. */
  language: Language;
  /** Whether the labels of the first are printed on A4. */
  isA4: boolean;
  /** `logo`: a `data:` URI, null until a label with it was printed. `phone`: may be empty. */
  merchant: { name: string; logo: string | null; phone: string };
  slips: Slip[];
  /** Order numbers of those for which nothing is packed. */
  cancelled: string[];
  collected: string[];
}

/** Slips of an account's shipments, in the order of their uuids. Null where none of them has a tracking code. */
export async function packingOf(
  { db, labels }: Pick<App, 'db'> & LabelApp,
  request: { accountId: number; uuids: readonly string[] },
): Promise<Packing | null> {
  const sources = await listLabelSources(db, { ...request, withItems: true });
  const [first] = sources;
  if (first === undefined) return null;
  const { account } = first;
  const numbers = (some: readonly LabelSource[]) => some.map(({ shipment }) => shipment.order.number);
  const active = sources.filter(({ shipment }) => !isCancelled(shipment));
  return {
    language: captionsOf(account.locale).language,
    isA4: labelTypeOf(first) === 'A4',
    merchant: {
      name: account.companyName || account.name,
      logo: await labels.logos.of(account.companyLogo),
      phone: account.supportPhone || account.phone,
    },
    slips: active.filter(({ shipment }) => shipment.serviceType === 1).map(slipOf),
    cancelled: numbers(sources.filter(({ shipment }) => isCancelled(shipment))),
    collected: numbers(active.filter(({ shipment }) => shipment.serviceType === 2)),
  };
}

function slipOf(source: LabelSource): Slip {
  const { shipment, details, items, moreItems, warehouseLocation } = source;
  const room = { maxWidthMm: 80, heightMm: 12, moduleWidthsMm: MODULE_WIDTHS_MM.A4 };
  return {
    orderRowId: shipment.order.rowId,
    orderNumber: shipment.order.number,
    place: warehouseLocation,
    createdAt: shipment.createdAt,
    to: recipientOf(source),
    notes: [details.note ?? '', details.extraNote ?? ''].filter((note) => note.trim() !== ''),
    items: items.filter(({ virtual }) => !virtual),
    moreItems,
    packages: shipment.packages,
    barcode: code128(shipment.trackingCode ?? '', room)?.svg ?? null,
  };
}
