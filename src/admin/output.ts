import { isObject } from '../lib/json.js';

/** Objects with a carrier's or merchant's own keys, which stay unchanged. */
const OPAQUE: ReadonlySet<string> = new Set(['settings', 'trackerPageContactInfo']);

/** A result for JSON, with our keys in snake case as in the API. */
export function outward(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outward);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      snake(key),
      OPAQUE.has(key) && !Array.isArray(inner) ? inner : outward(inner),
    ]),
  );
}

/** A result for people: a list as table, a record as one line per value. */
export function forPeople(value: unknown, columns: readonly string[]): string {
  const shown = outward(value);
  if (Array.isArray(shown)) return tableOf(shown, columns);
  if (!isObject(shown)) return `${plain(shown)}\n`;
  const entries = Object.entries(shown);
  const lines = flatten(Object.fromEntries(entries.filter(([, inner]) => !isTable(inner))), '');
  const tables = entries.flatMap(([name, inner]) =>
    isTable(inner) ? [`\n${name}:\n${tableOf(inner, namesOf(inner))}`.trimEnd()] : [],
  );
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(([name, text]) => `${name.padEnd(width)}  ${text}`.trimEnd())
    .concat(tables)
    .join('\n')
    .concat('\n');
}

function isTable(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some(isObject);
}

function namesOf(rows: readonly unknown[]): string[] {
  const [first] = rows;
  return isObject(first) ? Object.keys(first) : [];
}

function tableOf(rows: readonly unknown[], columns: readonly string[]): string {
  if (rows.length === 0) return 'none\n';
  const cells = rows.map((row) => {
    const values = new Map(isObject(row) ? flatten(row, '') : []);
    return columns.map((column) => values.get(column) ?? '');
  });
  const all = [columns.map((column) => column.toUpperCase()), ...cells];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}

function flatten(record: Readonly<Record<string, unknown>>, prefix: string): [string, string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] =>
    isObject(value) && Object.keys(value).length > 0
      ? flatten(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, plain(value)]],
  );
}

/** One line without control characters: names and addresses are foreign texts. */
function plain(value: unknown): string {
  if (value === null || value === undefined || isObject(value)) return '-';
  const text = Array.isArray(value) ? listOf(value) : String(value);
  return text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ');
}

function listOf(values: readonly unknown[]): string {
  return values.length === 0 ? '-' : values.join(', ');
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
