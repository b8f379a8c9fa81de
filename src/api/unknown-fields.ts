import { isObject, propertiesOf } from './openapi-schema.js';

type Path = readonly (string | number)[];

/** Paths of the fields that were sent and that the schema does not know. An object without named fields may have any. */
export function unknownFields(schema: unknown, sent: unknown, path: Path = []): Path[] {
  if (!isObject(schema) || !isObject(sent)) return [];
  if (Array.isArray(sent)) {
    return sent.flatMap((one: unknown, index) => unknownFields(schema.items, one, [...path, index]));
  }
  const known = propertiesOf(schema);
  if (Object.keys(known).length === 0) return [];
  return Object.entries(sent).flatMap(([name, one]) =>
    Object.hasOwn(known, name) ? unknownFields(known[name], one, [...path, name]) : [[...path, name]],
  );
}
