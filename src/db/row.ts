import type { JsonObject } from '../domain/shipment.js';
import { isObject } from '../lib/json.js';
import { sqlToIso } from '../lib/time.js';
import type { Row } from './connection.js';

/** Text of a VARCHAR, CHAR, ENUM, DECIMAL or TEXT column. Every reader throws a TypeError on another type. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : wrong(column, 'text', value);
}

/** An integer within ±2^53; the driver gives larger BIGINTs as text, which throw. */
export function int(row: Row, column: string): number {
  const value = row[column];
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number)
    ? number
    : wrong(column, 'an integer', value);
}

/** A BOOLEAN column, which holds 0 or 1. */
export function bool(row: Row, column: string): boolean {
  const value = row[column];
  if (value === 1 || value === 0) return value === 1;
  return wrong(column, 'a boolean', value);
}

/** A DATETIME(6) column as ISO 8601 UTC with microseconds. */
export function iso(row: Row, column: string): string {
  return sqlToIso(text(row, column));
}

/** A BINARY or VARBINARY column. */
export function bytes(row: Row, column: string): Buffer {
  const value = row[column];
  return Buffer.isBuffer(value) ? value : wrong(column, 'bytes', value);
}

/** A JSON column, parsed; null for SQL NULL and for JSON's null alike. */
export function json(row: Row, column: string): unknown {
  const value = row[column];
  if (value === null) return null;
  return JSON.parse(text(row, column));
}

/** A JSON column that holds an object. */
export function jsonObject(row: Row, column: string): JsonObject {
  const value = json(row, column);
  return isObject(value) ? value : wrong(column, 'a JSON object', value);
}

/** A JSON column that holds a list of texts. */
export function texts(row: Row, column: string): string[] {
  const value = json(row, column);
  return Array.isArray(value) ? value.map(String) : wrong(column, 'a JSON list', value);
}

/** A reader of a text that is one of these. */
export function oneOf<const V extends string>(values: readonly V[]): (row: Row, column: string) => V {
  return guarded((value): value is V => values.some((one) => one === value));
}

/** A reader of a text that `is` accepts. */
export function guarded<V extends string>(
  is: (value: string) => value is V,
): (row: Row, column: string) => V {
  return (row, column) => {
    const value = text(row, column);
    return is(value) ? value : wrong(column, 'one of its values', value);
  };
}

/** One of two integers, such as the service types. */
export function oneOrTwo(row: Row, column: string): 1 | 2 {
  const value = int(row, column);
  return value === 1 || value === 2 ? value : wrong(column, '1 or 2', value);
}

/** Names the type only: the value may be personal data. */
function wrong(column: string, expected: string, value: unknown): never {
  throw new TypeError(`Column ${column} is not ${expected} but ${value === null ? 'null' : typeof value}.`);
}
