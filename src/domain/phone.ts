/** Digits of the longest number that a shipment stores. */
const MAX_DIGITS = 64;

/** Digits with what stands between them; `+` and `*` begin a number. */
const ROW = /[+*(]*\d[\d\s()./\p{Pd}]*/gu;
/** Israeli: with the area's code, of mobiles, and of services that are dialled by a star. */
const HOME = /^(?:0[23489]\d{7}|0[57]\d{8}|\*\d{3,5})$/;
/** The same where a spreadsheet took the leading zero for nothing. */
const WITHOUT_ZERO = /^(?:[23489]\d{7}|[57]\d{8})$/;
/** Others, as they stand: without an area's code, of services, of another country. */
const OTHER = /^(?:0\d{6,9}|[1-9]\d{6,12}|\+\d{7,15})$/;

/** A phone field as it is dialled. */
export interface SentPhone {
  /** Israeli numbers in local form (`0…`, `*…`), others behind `+` where they had it; no other characters. */
  number: string;
  /** What else the field holds, as it was written: further numbers, an extension, names. Empty for nothing. */
  others: string;
}

/**
 * The first number of a phone field that can be dialled; null where there is none. Digits of any script are digits. Rows
 * of digits that are too long for one number are read as several.
 */
export function readPhone(text: string): SentPhone | null {
  const plain = asciiDigits(text);
  for (const { 0: row, index } of plain.matchAll(ROW)) {
    const found = numberIn(row);
    if (found === null) continue;
    const { number, start, end } = found;
    return { number, others: tidy(`${plain.slice(0, index + start)} ${plain.slice(index + end)}`) };
  }
  return null;
}

/**
 * A phone number as two spellings of it are told to be one: the digits of the number that is dialled, in local form.
 * `+972 50-123-4567`, `00972501234567`, `501234567` and `050 1234567 ext. 2` are all `0501234567`. Empty where there are
 * no digits, which matches nobody.
 */
export function phoneKey(phone: string): string {
  const number = readPhone(phone)?.number ?? asciiDigits(phone);
  return number.replaceAll(/\D/g, '').slice(0, MAX_DIGITS);
}

interface Found {
  number: string;
  start: number;
  end: number;
}

/** An Israeli number wherever it stands in the row; else the whole row, else as much of its beginning as is a number. */
function numberIn(row: string): Found | null {
  const groups = [...row.matchAll(/[+*(]*\d+/g)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
  const first = groups[0]?.start ?? 0;
  // Behind a country's code a zero begins no number.
  const starts = /^\(?(?:\+|00)/.test(row) ? groups.slice(0, 1) : groups;
  const ends = groups.toReversed();
  for (const { start } of starts) {
    for (const { end } of ends) {
      const number = end > start ? localForm(row.slice(start, end)) : '';
      if (HOME.test(number)) return { number, start, end };
    }
  }
  for (const { end } of ends) {
    const number = localForm(row.slice(first, end));
    if (end === ends[0]?.end && WITHOUT_ZERO.test(number)) return { number: `0${number}`, start: first, end };
    if (OTHER.test(number)) return { number, start: first, end };
  }
  return null;
}

/** Digits behind the sign that they have; `0` in place of Israel's country code, `+` in place of a dialled `00`. */
function localForm(text: string): string {
  const compact = text.replaceAll(/[^\d+*]/g, '').replace(/^00/, '+');
  return compact.replace(/^\+9720?/, '0').replace(/^9720?(?=\d{8,9}$)/, '0');
}

/** Every set of ten digits of Unicode begins with its zero, so that a digit is as much as it has digits before it. */
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
