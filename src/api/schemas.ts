import { type TProperties, Type } from 'typebox';

const Timestamp = {
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  examples: ['2026-11-21T09:30:00.123456Z'],
};

/** A time as ISO 8601 UTC with microseconds and a trailing `Z`. */
export function when(what: string) {
  return Type.String({ ...Timestamp, description: `${what} ISO 8601, UTC, microseconds.` });
}

/** A {@link when}, or null; with the meanings of both. */
export function whenOrNull(what: string) {
  return Type.Unsafe<string | null>({ ...when(what), type: ['string', 'null'] });
}

/** When a row was made, and last changed. */
export const stamps = { created_at: when('When it was made.'), updated_at: when('When it last changed.') };

/** A text or null of any length: for answers. */
export function nullableText(description: string) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description });
}

/** An integer or null: for answers. */
export function nullableInteger(description: string) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
}

/** One of a few texts. */
export function oneOf<T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: values, description });
}

/** An object whose keys are not ours: passed through as stored. */
export function passedThrough(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

/** {@link passedThrough}, or null. */
export function nullableObject(description: string) {
  const type = ['object', 'null'];
  return Type.Unsafe<Record<string, unknown> | null>({ type, additionalProperties: true, description });
}

/** An object of an answer. It has no other fields. */
export function closed<P extends TProperties>(description: string, properties: P) {
  return Type.Object(properties, { description, additionalProperties: false });
}

/** Like {@link closed}, a component of the published document that `title` names. */
export function closedObject<P extends TProperties>(title: string, description: string, properties: P) {
  return Type.Object(properties, { title, description, additionalProperties: false });
}
