import type { ImportColumns, ImportField, ImportTable } from './fields.js';
import { RANKS, type Rank, rankOf } from './recognize.js';

/** Why an order is set aside unless a person takes it. `shipped`: it has a parcel already. */
export const HOLDS = ['cancelled', 'abroad', 'shipped', 'chosen'] as const;
export type Hold = (typeof HOLDS)[number];

/** An order of a file. `item`: the body of `POST /shipments`, without a license; `line`: its first row in the file. */
export interface ImportedOrder {
  line: number;
  item: Item;
  hold: Hold | null;
}

/** A body of `POST /shipments` that is not checked yet. */
export interface Item {
  ship_data: Readonly<Record<string, unknown>>;
  order: Readonly<Record<string, unknown>>;
}

/** The values of one order: of each field, by the address whose column has it. */
type Values = (field: ImportField, rank: Rank) => string;

type CountryCode = (text: string) => string | null;

/**
 * The orders of a table, each of one row or, where a row stands for a product, of several. `countryCode`: the two-letter
 * code of a country as a file writes it; null for what is none.
 */
export function ordersOf(
  { header, rows }: ImportTable,
  columns: ImportColumns,
  countryCode: CountryCode,
): ImportedOrder[] {
  const read = columns.flatMap((field, index) =>
    field === null ? [] : [{ field, index, rank: rankOf(header[index] ?? '') }],
  );
  const valuesOf =
    (cells: readonly string[]): Values =>
    (field, rank) =>
      read
        .filter((one) => one.field === field && one.rank === rank)
        .map(({ index }) => cells[index] ?? '')
        .find((text) => text !== '') ?? '';
  return groupsOf(rows, valuesOf).map((group) => orderOf(group, countryCode));
}

interface Group {
  line: number;
  lines: Values[];
  whose: string;
}

/** Rows of one order stand together or apart; those after the first are of the same person, or name nobody. */
function groupsOf(rows: ImportTable['rows'], valuesOf: (cells: readonly string[]) => Values): Group[] {
  const groups: Group[] = [];
  const byOrder = new Map<string, Group>();
  for (const { line, cells } of rows) {
    const values = valuesOf(cells);
    const order = orderNumber(values);
    const whose = personOf(values);
    const known = order === '' ? undefined : byOrder.get(order);
    if (known !== undefined && isProductRow(values) && (whose === '' || whose === known.whose)) {
      known.lines.push(values);
      continue;
    }
    const group = { line, lines: [values], whose };
    groups.push(group);
    if (order !== '' && known === undefined) byOrder.set(order, group);
  }
  return groups;
}

function isProductRow(values: Values): boolean {
  return first(values, 'item_name') !== '' || first(values, 'item_sku') !== '';
}

function orderNumber(values: Values): string {
  return first(values, 'order_number') || first(values, 'order_id');
}

function personOf(values: Values): string {
  const fields = ['name', 'first_name', 'last_name', 'phone', 'street', 'address', 'city'] as const;
  return fields
    .map((field) => first(values, field))
    .join('\n')
    .trim();
}

function first(values: Values, field: ImportField): string {
  return RANKS.map((rank) => values(field, rank)).find((text) => text !== '') ?? '';
}

function orderOf({ line, lines }: Pick<Group, 'line' | 'lines'>, countryCode: CountryCode): ImportedOrder {
  const values: Values = (field, rank) =>
    lines.map((one) => one(field, rank)).find((text) => text !== '') ?? '';
  const one = (field: ImportField) => first(values, field);
  const place = placeOf(values);
  const id = one('order_id') || one('order_number');
  const number = one('order_number');
  const ship = filled({
    contact_name: nameOf(values),
    contact_phone: one('phone'),
    contact_mail: one('email'),
    company: one('company'),
    ...place.address,
    pickup: one('pickup'),
    note: one('note'),
    exaction_date: dayOf(one('day')),
    cod_amount: amountOf(one('cod')),
    packages: wholeOf(one('packages')),
  });
  const items = lines.flatMap(itemOf);
  const order = {
    ...filled({ id, number: number === id ? '' : number, status: one('status').slice(0, 64) }),
    ...filled({ total: plainAmount(one('total')), currency: currencyOf(one('currency')) }),
    ...(items.length === 0 ? {} : { items }),
    ...(Object.keys(place.more).length === 0 ? {} : { shipping: place.more }),
  };
  return {
    line,
    item: { ship_data: { ...ship, type: 1, return: 1 }, order },
    hold: holdOf(values, countryCode(place.more.country ?? '')),
  };
}

function filled(values: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function nameOf(values: Values): string {
  const names = RANKS.map(
    (rank) =>
      values('name', rank) ||
      [values('first_name', rank), values('last_name', rank)].filter(Boolean).join(' '),
  );
  return names.find((name) => name !== '') ?? '';
}

/** The whole address of the first place that has one, so that no street of one and city of another meet. */
function placeOf(values: Values): { address: Record<string, string>; more: Record<string, string> } {
  const rank = RANKS.find((one) => ['street', 'address', 'city'].some((field) => isIn(field, one))) ?? 1;
  function isIn(field: string, at: Rank) {
    return (field === 'street' || field === 'address' || field === 'city') && values(field, at) !== '';
  }
  // A list may name the house once, and the street for each address.
  const one = (field: ImportField) => values(field, rank) || values(field, 1);
  const whole = one('street') === '' ? splitAddress(one('address')) : { street: '', city: '' };
  const street = one('street') || whole.street;
  const city = one('city') || whole.city;
  const parts = withHouse(street, one('number'));
  const { apartment, rest } = secondLine(one('address_2'), one('apartment'), parts);
  const address = filledTexts({
    street: rest === '' ? parts.street : `${parts.street}, ${rest}`,
    number: parts.number,
    apartment,
    floor: one('floor'),
    entrance: one('entrance'),
    city,
  });
  const more = filledTexts({
    state: one('state'),
    postcode: one('zip').replace(/^'/, ''),
    country: one('country'),
  });
  return { address, more };
}

function filledTexts(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** "Herzl 7, Haifa" is a street and a city; of more parts the city is the second, as Magento writes them. */
function splitAddress(address: string): { street: string; city: string } {
  const [street = '', city = ''] = address.split(/\s*[,\n]\s*/).filter((part) => part !== '');
  return { street, city };
}

/** A house number behind the street's name goes into its own field, which some couriers ask for. */
function withHouse(street: string, number: string): { street: string; number: string } {
  if (number !== '') return { street, number };
  const found = /^(?<name>.*\p{L}.*?)[\s,]+(?<house>\d{1,4}(?:\s?[א-תa-z])?(?:\/\d{1,4})?)$/iu.exec(
    street.trim(),
  );
  const { name, house } = found?.groups ?? {};
  return name === undefined || house === undefined ? { street, number: '' } : { street: name, number: house };
}

/** The second line of a shop's address: the house where the first names none, else the flat, else more of the street. */
function secondLine(
  line: string,
  apartment: string,
  parts: { street: string; number: string },
): { apartment: string; rest: string } {
  if (line === '' || parts.street.includes(line)) return { apartment, rest: '' };
  if (/^\d{1,4}[א-תa-z]?$/i.test(line) && parts.number === '') {
    parts.number = line;
    return { apartment, rest: '' };
  }
  const isFlat = apartment === '' && line.length <= 32;
  return isFlat ? { apartment: line, rest: '' } : { apartment, rest: line };
}

function itemOf(values: Values): object[] {
  const name = first(values, 'item_name') || first(values, 'item_sku');
  if (name === '') return [];
  const quantity = Number(first(values, 'item_quantity'));
  const isCounted = Number.isInteger(quantity) && quantity >= 1 && quantity <= 1_000_000;
  const sku = first(values, 'item_sku');
  return [
    {
      name: name.slice(0, 500),
      quantity: isCounted ? quantity : 1,
      ...(sku === '' ? {} : { sku: sku.slice(0, 255) }),
      ...(/^(?:false|no|0)$/i.test(first(values, 'item_ships')) ? { virtual: true } : {}),
    },
  ];
}

const ENDED =
  /^(?:wc-)?(?:cancell?ed|refunded|failed|voided|closed|trash|בוטל|בוטלה|מבוטל|מבוטלת|זוכה|ملغي|ملغى|ملغاة|مسترد)$/i;

function holdOf(values: Values, country: string | null): Hold | null {
  if (first(values, 'cancelled_at') !== '' || ENDED.test(first(values, 'status').trim())) return 'cancelled';
  // A text that is no country is a fault of its cell.
  return country === null || country === 'IL' ? null : 'abroad';
}

/** A number of packages, or the text as it is, which the check refuses at its cell. */
function wholeOf(text: string): string | number {
  return /^\d{1,6}(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : text;
}

/** "₪1,234.50" is 1234.50; zero is nothing to collect. Other texts stay, for the check. */
function amountOf(text: string): string {
  const plain = plainAmount(text) || text;
  return Number(plain) === 0 ? '' : plain;
}

/** Empty for what is no amount. */
function plainAmount(text: string): string {
  const bare = text.replaceAll(/[₪$€£\s\u200e\u200f]|ILS|NIS|ש"ח/gi, '');
  const plain = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)
    ? bare.replaceAll(',', '')
    : bare.replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? plain : '';
}

function currencyOf(text: string): string {
  return /^[a-z]{3}$/i.test(text.trim()) ? text.trim().toUpperCase() : '';
}

/** The day as the API reads it, where it can be read; days come before months here. */
function dayOf(text: string): string {
  const { day, month, year } =
    /^(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>\d{4})$/.exec(text.trim())?.groups ?? {};
  if (day === undefined || month === undefined || year === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
