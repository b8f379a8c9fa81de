/**
 * Key of what a schema publishes beside its own keywords: rules that the code checks, since it names the field that
 * breaks them. Validation does not read it.
 */
export const PUBLISHED = 'x-published';

/** A schema with every titled object moved to the components, which `schemas` collects by title. */
export function publishSchema(schema: unknown, schemas: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => publishSchema(part, schemas));
  if (!isObject(schema)) return schema;
  const { [PUBLISHED]: published, ...own } = schema;
  const whole = isObject(published) ? { ...own, ...published } : own;
  const parts = Object.fromEntries(
    Object.entries(whole).map(([key, part]) => [key, publishSchema(part, schemas)]),
  );
  const { title } = schema;
  if (typeof title !== 'string') return parts;
  const { title: _title, ...component } = parts;
  schemas.set(title, component);
  return { $ref: `#/components/schemas/${title}` };
}

/** Whether it is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
