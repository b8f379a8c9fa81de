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
  const parts: Record<string, unknown> = Object.fromEntries(
    Object.entries(whole).map(([key, part]) => [key, publishSchema(part, schemas)]),
  );
  if (Array.isArray(parts['enum']) && parts['type'] === undefined) parts['type'] = typesOf(parts['enum']);
  const { title } = schema;
  if (typeof title !== 'string') return parts;
  const { title: _title, ...component } = parts;
  schemas.set(title, component);
  return { $ref: `#/components/schemas/${title}` };
}

/** The types of an enum's values: programs that read the document want them beside it. */
function typesOf(values: readonly unknown[]): unknown {
  const types = new Set(values.map((value) => (value === null ? 'null' : NAMES[typeof value])));
  return types.size === 1 ? [...types][0] : [...types];
}

const NAMES: Readonly<Record<string, string>> = { boolean: 'boolean', number: 'integer', string: 'string' };

/** Whether it is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
