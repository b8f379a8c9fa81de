import type { Json } from '../../src/api/openapi-document.js';
import { objectAt, textAt, valueAt } from '../../src/lib/json.js';

/** The object at a path of keys; an empty one where there is none. */
export function at(value: unknown, ...keys: readonly string[]): Json {
  return objectAt(value, ...keys) ?? {};
}

/** The list at a path of keys; an empty one where there is none. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}

/** The target of a `$ref`; anything else as it is. */
export function resolved(document: Json, value: unknown): unknown {
  const ref = textAt(value, '$ref');
  return ref === '' ? value : valueAt(document, ...ref.replace('#/', '').split('/'));
}
