import { Type } from 'typebox';

/** ISO 8601 UTC with microseconds. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601, UTC, microseconds.',
  examples: ['2026-11-21T09:30:00.123456Z'],
});

/** A {@link Timestamp} or null. */
export const NullableTimestamp = nullable(Timestamp);

/** A text or null. */
export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** An object whose keys are not ours. */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

function nullable(schema: typeof Timestamp) {
  return Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });
}
