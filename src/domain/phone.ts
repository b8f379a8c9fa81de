/** Digits and their separators; `+` and `*` start a number. */
const ROW = /[+*(]*\d[\d\s()./\p{Pd}]*/gu;
/** Israeli landline, mobile and star numbers, and those of services: 1-700, 1-800, 1-599 and their like. */
const HOME = /^(?:0[23489]\d{7}|0[57]\d{8}|\*\d{3,5}|1(?:[78]0[0-9]|599)\d{6})$/;
/** Characters of a number that signs part. */
const LONGEST = 40;
/** Two of them without anything between. */
const GLUED = /^(0[23489]\d{7}|0[57]\d{8})(?:0[23489]\d{7}|0[57]\d{8})$/;
/** The same without the leading zero, which spreadsheets drop. */
const WITHOUT_ZERO = /^(?:[23489]\d{7}|[57]\d{8})$/;
/** Other numbers: without area code, of services, or foreign. */
const OTHER = /^(?:0\d{6,9}|[1-9]\d{6,12}|\+\d{7,15})$/;

/**
 * Splits a phone field for dialling; null when no number of it can be dialled. Digits of any script count. Rows too
 * long for one number are split, and rows that other signs part are joined (`050,1234567`), where that makes Israeli
 * numbers. `number`: the first one, Israeli numbers in local form (`0…`, `*…`), others with
 * their `+`. `others`: the rest of the field as written (further numbers, an extension, names), or empty.
 */
export function readPhone(text: string): { number: string; others: string } | null {
  const plain = asciiDigits(text);
  for (const { 0: row, index: start } of plain.matchAll(ROW)) {
    const found = homeIn(row) ?? joinedFrom(plain, start, row) ?? otherIn(row);
    if (found === null) continue;
    const others = `${plain.slice(0, start + found.start)} ${plain.slice(start + found.end)}`;
    return { number: found.number, others: tidy(others) };
  }
  return null;
}

/**
 * A phone number for comparison: the digits to dial, in local form. `+972 50-123-4567`, `00972501234567`,
 * `501234567` and `050 1234567 ext. 2` all become `0501234567`. Empty, matching nobody, without digits.
 */
export function phoneKey(phone: string): string {
  const number = readPhone(phone)?.number ?? asciiDigits(phone);
  // A shipment stores no longer ones.
  return number.replaceAll(/\D/g, '').slice(0, 64);
}

/** A number, and its place in a row. */
interface Found {
  number: string;
  start: number;
  end: number;
}

/** An Israeli number that begins in the row and goes on behind it after signs: `050,1234567`, `+972*501234567`. */
function joinedFrom(text: string, rowStart: number, row: string): Found | null {
  for (const { start } of startsOf(row)) {
    const rest = text.slice(rowStart + start, rowStart + start + LONGEST);
    let digits = '';
    for (const group of groupsOf(rest).slice(0, 5)) {
      if (/[\p{L}\n]/u.test(rest.slice(0, group.end))) break;
      const part = rest.slice(group.start, group.end);
      digits += digits === '' ? part : part.replaceAll(/\D/g, '');
      const number = localForm(digits);
      if (HOME.test(number)) return { number, start, end: start + group.end };
    }
  }
  return null;
}

/** Where a number may begin. After a country code, a zero starts none. */
function startsOf(row: string): { start: number; end: number }[] {
  const groups = groupsOf(row);
  return /^\(?(?:\+|00)/.test(row) ? groups.slice(0, 1) : groups;
}

function groupsOf(row: string): { start: number; end: number }[] {
  return [...row.matchAll(/[+*(]*\d+/g)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
}

/** An Israeli number anywhere in the row, also one with another glued to it. */
function homeIn(row: string): Found | null {
  const groups = groupsOf(row);
  const ends = groups.toReversed();
  for (const { start } of startsOf(row)) {
    for (const { end } of ends) {
      const number = end > start ? localForm(row.slice(start, end)) : '';
      if (HOME.test(number)) return { number, start, end };
    }
  }
  for (const { start, end } of groups) {
    const [, number] = GLUED.exec(row.slice(start, end)) ?? [];
    if (number !== undefined) return { number, start, end: start + number.length };
  }
  return null;
}

/** The whole row, else its longest beginning that is a number. */
function otherIn(row: string): Found | null {
  const groups = groupsOf(row);
  const first = groups[0]?.start ?? 0;
  const ends = groups.toReversed();
  for (const { end } of ends) {
    const number = localForm(row.slice(first, end));
    if (end === ends[0]?.end && WITHOUT_ZERO.test(number)) return { number: `0${number}`, start: first, end };
    if (OTHER.test(number)) return { number, start: first, end };
  }
  return null;
}

/** Digits with their sign: `0` replaces Israel's country code, `+` replaces a dialled `00`. */
function localForm(text: string): string {
  const compact = text.replaceAll(/[^\d+*]/g, '').replace(/^00/, '+');
  // Services have no zero that the country code replaces.
  const service = /^\+?9720?(1\d{9})$/.exec(compact)?.[1] ?? '';
  if (HOME.test(service)) return service;
  return compact.replace(/^\+9720?/, '0').replace(/^9720?(?=\d{8,9}$)/, '0');
}

/** Unicode's digit sets are ten in a row: a digit's value is the number of digits before it in its set. */
function asciiDigits(text: string): string {
  return text.replaceAll('＋', '+').replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
    return String(before % 10);
  });
}

function tidy(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.replace(/^[^\p{L}\p{N}+*#(]+/u, '').replace(/[^\p{L}\p{N})]+$/u, '');
}
