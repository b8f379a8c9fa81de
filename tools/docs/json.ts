import type { Json } from '../../src/api/openapi-document.js';
import { isObject } from '../../src/api/openapi-schema.js';

/** The object at a path of keys; an empty one where there is none. */
export function at(value: unknown, ...keys: readonly string[]): Json {
  const found = valueAt(value, keys);
  return isObject(found) ? Object.fromEntries(Object.entries(found)) : {};
}

/** The list at a path of keys; an empty one where there is none. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = valueAt(value, keys);
  return Array.isArray(found) ? found : [];
}

/** The text at a path of keys; an empty one where there is none. */
export function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = valueAt(value, keys);
  return typeof found === 'string' ? found : '';
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((found, key) => (isObject(found) ? Reflect.get(found, key) : undefined), value);
}

/** What a `$ref` leads to; anything else as it is. */
export function resolved(document: Json, value: unknown): unknown {
  const ref = textAt(value, '$ref');
  return ref === '' ? value : valueAt(document, ref.replace('#/', '').split('/'));
}
