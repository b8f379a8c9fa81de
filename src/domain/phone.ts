/** Digits and their separators; `+` and `*` start a number. */
const ROW = /[+*(]*\d[\d\s()./\p{Pd}]*/gu;
/** Israeli landline, mobile and star numbers. */
const HOME = /^(?:0[23489]\d{7}|0[57]\d{8}|\*\d{3,5})$/;
/** The same without the leading zero, which spreadsheets drop. */
const WITHOUT_ZERO = /^(?:[23489]\d{7}|[57]\d{8})$/;
/** Other numbers: without area code, of services, or foreign. */
const OTHER = /^(?:0\d{6,9}|[1-9]\d{6,12}|\+\d{7,15})$/;

/**
 * Splits a phone field for dialling; null when no number of it can be dialled. Digits of any script count. Rows too
 * long for one number are split. `number`: the first one, Israeli numbers in local form (`0…`, `*…`), others with
 * their `+`. `others`: the rest of the field as written (further numbers, an extension, names), or empty.
 */
export function readPhone(text: string): { number: string; others: string } | null {
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
 * A phone number for comparison: the digits to dial, in local form. `+972 50-123-4567`, `00972501234567`,
 * `501234567` and `050 1234567 ext. 2` all become `0501234567`. Empty, matching nobody, without digits.
 */
export function phoneKey(phone: string): string {
  const number = readPhone(phone)?.number ?? asciiDigits(phone);
  // A shipment stores no longer ones.
  return number.replaceAll(/\D/g, '').slice(0, 64);
}

/** An Israeli number anywhere in the row; else the whole row, else its longest beginning that is a number. */
function numberIn(row: string): { number: string; start: number; end: number } | null {
  const groups = [...row.matchAll(/[+*(]*\d+/g)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
  const first = groups[0]?.start ?? 0;
  // After a country code, a zero starts no number.
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

/** Digits with their sign: `0` replaces Israel's country code, `+` replaces a dialled `00`. */
function localForm(text: string): string {
  const compact = text.replaceAll(/[^\d+*]/g, '').replace(/^00/, '+');
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
