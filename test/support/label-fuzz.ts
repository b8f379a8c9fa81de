import { composeLabels, type Label } from '../../src/documents/labels/document.js';
import type { LabelPress } from '../../src/documents/labels/press.js';
import { printLabels } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS, type LabelSource, type LabelType } from '../../src/domain/labels.js';
import { placeInWords } from '../../src/domain/recipient-words/pickup-place.js';
import { ALL_FLAGS, labelSource } from './label-sources.js';
import { type ReadPage, readPdf } from './pdf.js';

const BASE_URL = 'https://parcels.acme.test';
const RESOLUTIONS = [203, 300] as const;
/** Codes up to this length are printed as readable bars; longer ones are read from the DataMatrix. */
const LONGEST_IN_BARS = 20;
/** Order numbers up to this length have cells of three dots at 203 dpi; longer ones of two. */
const LONGEST_IN_LARGE_CELLS = 30;

/** Random numbers from 0 to 1 by seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = {
  en: 'Levant Import Export General Trading Dana Maximilian von Hohenstein-Weissenburg gate 4471 concierge never door ring'.split(
    ' ',
  ),
  he: 'דנה לוי-כהן שדרות רוטשילד קפה השכונה בע״מ להשאיר אצל השכן קומה דחוף תל-אביב יפו'.split(' '),
  ar: 'محمد عبد الرحمن الخطيب شارع بولس السادس الناصرة اتصل قبل الوصول عند الجيران'.split(' '),
};
const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
const MIXED = `${CAPITALS}abcdefghijkmnopqrstuvwxyz-_/#.`;
const DIGITS = '0123456789';

/** A label with texts, numbers and amounts of any length and script, by seed. */
export function fuzzedSource(seed: number): LabelSource {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  const locale = pick(['en', 'he', 'ar'] as const);
  const words = (most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(WORDS[pick([locale, locale, 'en'] as const)])).join(
      ' ',
    );
  const maybe = <T>(value: () => T): T | null => (random() < 0.5 ? value() : null);
  const trackingCode = pick([
    () => text(DIGITS, 8),
    () => text(CAPITALS, 13),
    () => text(DIGITS, 10 + below(12)),
    () => text(CAPITALS, 5 + below(16)),
    () => text(MIXED, 21 + below(20)),
  ])();
  const code = text(CAPITALS, 10);
  return labelSource({
    shipment: {
      trackingCode,
      shortTrackingCode: code,
      packages: pick([1, 1, 1, 1, 3]),
      returnType: pick([1, 1, 1, 2]),
      serviceType: pick([1, 1, 2]),
      pickupPointId: pick([null, null, text(CAPITALS, 6)]),
      carrier: { id: 1, name: pick(['Run', 'Independent couriers', words(5)]), provider: 'run' },
      cod: pick([
        null,
        { amount: `${below(10 ** (1 + below(7)))}.90`, currency: pick(['ILS', 'USD', 'CHF']) },
      ]),
      order: {
        rowId: 1,
        id: '1',
        number: text(pick([DIGITS, CAPITALS, MIXED]), 1 + below(pick([8, 40, 64]))),
      },
    },
    recipient: {
      name: words(9),
      company: maybe(() => words(8)),
      street: words(12),
      number: maybe(() => text(DIGITS, 3)),
      entrance: maybe(() => words(1)),
      floor: maybe(() => text(DIGITS, 2)),
      apartment: maybe(() => text(DIGITS, 3)),
      city: words(5),
    },
    details: {
      note: maybe(() => words(70)),
      extraNote: maybe(() => words(20)),
      urgent: random() < 0.3,
    },
    pickupPlace: pick([
      null,
      null,
      placeInWords(words(10)),
      { ...placeInWords(words(4)), street: words(4), number: text(DIGITS, 3), city: words(3) },
    ]),
    flags: random() < 0.5 ? ALL_FLAGS : {},
    items: Array.from({ length: below(15) }, () => ({
      name: words(8),
      sku: maybe(() => text(CAPITALS, 8)),
      variation: maybe(() => words(3)),
      quantity: 1 + below(12),
      virtual: random() < 0.2,
    })),
    warehouseLocation: maybe(() => text(MIXED, 1 + below(24))),
    account: { locale, companyName: words(6), orderNumberBarcode: random() < 0.7 },
    collectFrom: { company: words(6), street: words(6), city: words(3) },
  });
}

/** Number of labels read, and a line for each failure. */
export interface FuzzResult {
  labels: number;
  failures: string[];
}

/** Prints the labels and reads every code in black and white, at 203 and 300 dpi. */
export async function readBack(
  press: LabelPress,
  sources: readonly LabelSource[],
  labelType: LabelType,
): Promise<FuzzResult> {
  const failures: string[] = [];
  let labels = 0;
  for (const one of byLocale(sources)) {
    const options = { ...DEFAULT_LABEL_OPTIONS, labelType };
    const document = await composeLabels(one, options, { baseUrl: BASE_URL });
    labels += document.labels.length;
    const pages = await readPdf(await printLabels(document, { logo: null }, press));
    for (const dpi of RESOLUTIONS) {
      const found = await countCodes(pages, dpi);
      const wanted = wantedCodes(document.labels, dpi);
      for (const [code, count] of wanted) {
        const read = found.get(code) ?? 0;
        if (read !== count) failures.push(`${labelType}, ${dpi} dpi: ${read} of ${count} times ${code}`);
      }
    }
  }
  return { labels, failures };
}

/** A document's language is its first shipment's. */
function byLocale(sources: readonly LabelSource[]): LabelSource[][] {
  return [...new Set(sources.map(({ account }) => account.locale))].map((locale) =>
    sources.filter(({ account }) => account.locale === locale),
  );
}

async function countCodes(pages: readonly ReadPage[], dpi: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const { format, text } of await page.codes({ dpi })) add(counts, `${format} ${text}`);
  }
  return counts;
}

function wantedCodes(labels: readonly Label[], dpi: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { trackingCode, trackingUrl, orderNumber, orderBarcode } of labels) {
    if (trackingCode.length <= LONGEST_IN_BARS) add(counts, `Code128 ${trackingCode}`);
    add(counts, `DataMatrix ${trackingCode}`);
    add(counts, `QRCode ${trackingUrl}`);
    if (orderBarcode && (dpi === 300 || orderNumber.length <= LONGEST_IN_LARGE_CELLS))
      add(counts, `DataMatrix ${orderNumber}`);
  }
  return counts;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
