import { type TProperties, Type } from 'typebox';

/** ISO 8601 UTC with microseconds. */
const Timestamp = {
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601, UTC, microseconds.',
  examples: ['2026-11-21T09:30:00.123456Z'],
};

/** When a row was made. */
export const CreatedAt = when('When it was made.');

/** When a row was last changed. */
export const UpdatedAt = when('When it last changed.');

/** A {@link Timestamp} with its description. */
export function when(what: string) {
  return Type.String({ ...Timestamp, description: `${what} ${Timestamp.description}` });
}

/** A {@link Timestamp} or null, with the meanings of both. */
export function whenOrNull(what: string) {
  return Type.Unsafe<string | null>({ ...when(what), type: ['string', 'null'] });
}

/** A text or null. */
export function nullableText(description: string) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], description });
}

/** A whole number or null. */
export function nullableInteger(description: string) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], description });
}

/** One of a few texts. */
export function oneOf<T extends string>(values: readonly T[], description: string) {
  return Type.Unsafe<T>({ type: 'string', enum: values, description });
}

/** An object whose keys are not ours. */
export function anyObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
}

/** An object of an answer. It has no other fields. */
export function closed<T extends TProperties>(description: string, properties: T) {
  return Type.Object(properties, { description, additionalProperties: false });
}

/** Like {@link closed}, a component of the published document. */
export function titled<T extends TProperties>(title: string, description: string, properties: T) {
  return Type.Object(properties, { title, description, additionalProperties: false });
}
