import { COMMON_HEADERS } from './common-headers.js';
import { type ImportColumns, type ImportField, isComplete } from './fields.js';
import { KNOWN_EXPORTS } from './known-headers.js';

/** Where a column belongs: the address of the delivery counts before one of neither, and that before the payer's. */
export type Rank = 0 | 1 | 2;
export const RANKS: readonly Rank[] = [0, 1, 2];

/** A file's columns as they are known by their headers. `source`: whose export it is; empty for a list of a person. */
interface Recognized {
  source: string;
  columns: ImportColumns;
  isComplete: boolean;
}

/** Recognizes an export by its headers, else each column by common words. */
export function recognize(header: readonly string[]): Recognized {
  const names = header.map(plainHeader);
  const known = KNOWN_EXPORTS.find(({ marks }) => marks.every((mark) => names.includes(mark)));
  const fields = fieldsOf(known?.headers ?? COMMON_HEADERS);
  const columns = names.map(
    (name) => fields.get(name) ?? (known === undefined ? wordsIn(name, fields) : null),
  );
  return { source: known?.name ?? '', columns: onceOf(columns, names), isComplete: isComplete(columns) };
}

/** How many columns would be known were this the header: tells a header from a title above it. */
export function knownHeaders(cells: readonly string[]): number {
  return recognize(cells).columns.filter((field) => field !== null).length;
}

/** Lower case, without marks at the ends; `_` and `.` part words. */
export function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[\ufeff\u200e\u200f\u202a-\u202e]/g, '')
    .replaceAll(/[_.]/g, ' ')
    .replaceAll(/[״”“]/g, '"')
    .replaceAll(/[׳’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s*:]+|[\s*:]+$/g, '');
}

export function rankOf(header: string): Rank {
  const name = plainHeader(header);
  if (/\bshipping(?:address)?\b|\bship-to\b|\bdelivery\b|משלוח|توصيل/.test(name)) return 0;
  return /\bbilling(?:address)?\b|\bbill-to\b|חיוב|تحصيل الفاتورة|فاتورة/.test(name) ? 2 : 1;
}

function fieldsOf(headers: Partial<Record<ImportField, readonly string[]>>): Map<string, ImportField> {
  const all: [string, ImportField][] = [];
  for (const field of Object.keys(headers)) {
    if (isField(field, headers)) for (const name of headers[field] ?? []) all.push([name, field]);
  }
  return new Map(all);
}

function isField(name: string, headers: object): name is ImportField {
  return Object.hasOwn(headers, name);
}

/** "Shipping phone" is a phone: a list may name its address. */
function wordsIn(name: string, fields: ReadonlyMap<string, ImportField>): ImportField | null {
  const bare = name
    .replace(/\s*\((?:shipping|billing|delivery)\)$/, '')
    .replace(/^(?:shipping|billing|delivery|ship-to|bill-to|recipient|customer)\s+/, '')
    .replace(/\s+(?:למשלוח|משלוח|נמען|הנמען|לקוח|הלקוח)$/, '');
  return fields.get(bare) ?? null;
}

/** Of two columns for one thing of one address the first is read: the second repeats it. */
function onceOf(columns: readonly (ImportField | null)[], names: readonly string[]): ImportColumns {
  const taken = new Set<string>();
  return columns.map((field, index) => {
    if (field === null) return null;
    const place = `${field} ${rankOf(names[index] ?? '')}`;
    if (taken.has(place)) return null;
    taken.add(place);
    return field;
  });
}
