import type { JsonObject } from '../domain/shipment.js';
import type { Outcome, PickupPoint } from './contract.js';
import { accepted, UNREADABLE } from './outcomes.js';
import { carrierText } from './text.js';

/** Parses a reply as JSON, without its byte order mark; undefined when it is not JSON, or cut short. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The value at the nested `names`; undefined when one is missing. Inherited properties do not count. */
export function valueAt(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/** The object at the nested `names`; null for anything else, lists included. */
export function objectAt(value: unknown, ...names: string[]): JsonObject | null {
  const found = valueAt(value, ...names);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return null;
  return Object.fromEntries(Object.entries(found));
}

/** Copies the fields that have a value: undefined, null and empty text are left out. */
export function filled<T>(fields: Readonly<Record<string, T | null | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, value] as const],
    ),
  );
}

/** The text at the nested `names`, a number in decimal form; empty for anything else. */
export function textAt(value: unknown, ...names: string[]): string {
  const found = valueAt(value, ...names);
  if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  return typeof found === 'string' ? found.trim() : '';
}

/** Joins the messages of an error reply (a text, a list, or lists by field) into one line; empty when none. */
export function messagesOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim();
  // Messages are at most lists by field.
  if (typeof value !== 'object' || value === null || depth > 2) return '';
  const parts = Array.isArray(value)
    ? value.map((item) => messagesOf(item, depth + 1))
    : Object.entries(value).map(([name, texts]) => {
        const said = messagesOf(texts, depth + 1);
        return said === '' ? '' : `${name}: ${said}`;
      });
  return parts.filter((part) => part !== '').join('; ');
}

/**
 * Reads a list of pickup points, bare or in `listName`; `names` are the carrier's field names, ours by default.
 * Skips points without an id.
 */
export function pointsOf(
  json: unknown,
  listName: string,
  names: Partial<Record<keyof PickupPoint, string>>,
): Outcome<PickupPoint[]> {
  const list = Array.isArray(json) ? json : valueAt(json, listName);
  if (!Array.isArray(list)) return UNREADABLE;
  const points = list.map((point) => pointWith((field) => textAt(point, names[field] ?? field)));
  return accepted(points.filter(({ id }) => id !== ''));
}

/** A pickup point of the carrier's texts. */
export function pointWith(textOf: (field: keyof PickupPoint) => string): PickupPoint {
  const read = (field: keyof PickupPoint) => carrierText(textOf(field));
  return {
    id: read('id'),
    name: read('name'),
    city: read('city'),
    street: read('street'),
    number: read('number'),
    streetCode: '',
    latitude: read('latitude'),
    longitude: read('longitude'),
    remarks: read('remarks'),
  };
}
