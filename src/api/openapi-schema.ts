/**
 * Key of published rules beside a schema's keywords. The code checks them, since it names the field that breaks them;
 * validation ignores them.
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
  const { title } = schema;
  const { title: _title, ...component } = withTypes(parts);
  if (typeof title !== 'string') return component;
  schemas.set(title, component);
  return { $ref: `#/components/schemas/${title}` };
}

/**
 * Adds the types of an enum's values. Values of several types become alternatives of one type each: client generators
 * support no other form and leave out what uses it.
 */
function withTypes(schema: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values) || schema.type !== undefined) return schema;
  const types = [...new Set(values.map(typeOf))];
  const named = types.filter((type) => type !== 'null');
  if (named.length < 2) return { ...schema, type: types.length === 1 ? types[0] : types };
  return { ...rest, anyOf: types.map((type) => alternative(type, values)) };
}

function alternative(type: string, values: readonly unknown[]): Record<string, unknown> {
  const own = values.filter((value) => typeOf(value) === type);
  const isWhole = type === 'null' || (type === 'boolean' && own.length === 2);
  return isWhole ? { type } : { type, enum: own };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : typeof value;
}

/** Whether it is an object or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The fields of an object's schema, by name. */
export function propertiesOf(schema: object): Record<string, unknown> {
  const properties: unknown = Reflect.get(schema, 'properties');
  return isObject(properties) ? properties : {};
}
