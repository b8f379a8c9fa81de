import { textAt, valueAt } from '../lib/json.js';
import type { Outcome, PickupPoint } from './contract.js';
import { accepted, UNREADABLE } from './outcomes.js';
import { carrierText } from './text.js';

/** Copies the fields that have a value: undefined, null and empty text are left out. */
export function filled<T>(fields: Readonly<Record<string, T | null | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, value] as const],
    ),
  );
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
