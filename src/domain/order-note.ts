import { metaEntries } from './meta-data.js';
import type { OrderItem } from './shipment.js';

/** The license's switches for the carrier's note. */
export interface NoteRules {
  /** Off: the carrier gets no note. */
  sendNote: boolean;
  /** Appends the parcel's contents. */
  products: boolean;
  productSkus: boolean;
  variations: boolean;
  /** Includes products that are not shipped. */
  virtualProducts: boolean;
}

/** Sources of a note. `giftWord` precedes a gift's text, which `read` cleans. */
export interface NoteParts {
  note: string | null;
  metaData: unknown;
  items: readonly OrderItem[];
  giftWord: string;
  read: (text: string) => string;
}

const GIFT_KEYS: ReadonlySet<string> = new Set(['gift_note', 'gift_message', 'is_gift']);
const NO: ReadonlySet<string> = new Set(['', '0', 'no', 'false', 'off']);
const YES: ReadonlySet<string> = new Set(['1', 'yes', 'true', 'on']);

/** The carrier's note: the caller's, the order's gift marker and the products; null when empty. */
export function carrierNote(parts: NoteParts, rules: NoteRules): string | null {
  if (!rules.sendNote) return null;
  const products = rules.products ? productSummary(parts.items, rules) : null;
  const said = [parts.note, giftMarker(parts), products].filter((part) => part !== null);
  return said.length === 0 ? null : said.join(' | ');
}

/** A gift is marked in the order's meta data as `gift_note`, `gift_message` or `is_gift`, with or without `_`. */
function giftMarker({ metaData, giftWord, read }: NoteParts): string | null {
  const marks = metaEntries(metaData).filter(([key]) => GIFT_KEYS.has(key.replace(/^_/, '').toLowerCase()));
  const texts = marks.map(([, value]) => giftText(value, read)).filter((text) => text !== null);
  if (texts.length === 0) return null;
  const message = texts.find((text) => text !== '');
  return message === undefined ? giftWord : `${giftWord}: ${message}`;
}

/** Null: no gift. Empty: a gift without text. */
function giftText(value: unknown, read: NoteParts['read']): string | null {
  if (value === true) return '';
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = read(String(value));
  const word = text.toLowerCase();
  if (NO.has(word)) return null;
  return YES.has(word) ? '' : text;
}

function productSummary(items: readonly OrderItem[], rules: NoteRules): string | null {
  const lines = items
    .filter((item) => rules.virtualProducts || !item.virtual)
    .map(({ name, quantity, sku, variation }) => {
      const more = [rules.variations ? variation : null, rules.productSkus ? sku : null];
      const named = [name, ...more.filter((text) => text !== null)].join(', ');
      return `${quantity} x ${named}`;
    });
  return lines.length === 0 ? null : lines.join('; ');
}
