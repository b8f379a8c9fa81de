import { isDeepStrictEqual } from 'node:util';

/**
 * Key of published rules beside a schema's keywords. The code checks them, since it names the field that breaks them;
 * validation ignores them.
 */
export const PUBLISHED = 'x-published';

/**
 * A schema with every titled object moved to the components, which `schemas` collects by title. What client generators
 * drop, refuse or cannot compile is said in another way that means the same; validation keeps the schema itself.
 */
export function publishSchema(schema: unknown, schemas: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => publishSchema(part, schemas));
  if (!isObject(schema)) return schema;
  const { [PUBLISHED]: published, ...own } = schema;
  const { title, ...whole } = isObject(published) ? { ...own, ...published } : own;
  const parts = Object.fromEntries(
    Object.entries(withOpenNullable(whole)).map(([key, part]) => [key, publishPart(key, part, schemas)]),
  );
  const component = FORMS.reduce((form, change) => change(form), parts);
  if (typeof title !== 'string') return component;
  schemas.set(title, component);
  return { $ref: `#/components/schemas/${title}` };
}

/** Keywords that hold values, which are no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

function publishPart(key: string, part: unknown, schemas: Map<string, unknown>): unknown {
  if (VALUES.has(key)) return part;
  if (key !== 'properties' || !isObject(part)) return publishSchema(part, schemas);
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, publishSchema(one, schemas)]));
}

type Form = Record<string, unknown>;

/** In this order. Each has what a generator makes of the form that it changes; `npm run clients` shows them. */
const FORMS: readonly ((schema: Form) => Form)[] = [
  withTypesOfEnum,
  withNullAsType,
  withOneTypeEach,
  withoutConstFlag,
  withOneObject,
  withoutMapOrList,
  withoutNullDefault,
  withoutRequiredNull,
];

/** An enum has the types of its values. Of several types, openapi-python-client leaves out the whole operation. */
function withTypesOfEnum(schema: Form): Form {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values) || schema.type !== undefined) return schema;
  const types = [...new Set(values.map(typeOf))];
  const named = types.filter((type) => type !== NULL);
  if (named.length < 2) return { ...schema, type: types.length === 1 ? types[0] : types };
  return { ...rest, anyOf: types.map((type) => alternative(type, values)) };
}

function alternative(type: string, values: readonly unknown[]): Form {
  const own = values.filter((value) => typeOf(value) === type);
  const isWhole = type === NULL || (type === 'boolean' && own.length === 2);
  return isWhole ? { type } : { type, enum: own };
}

function typeOf(value: unknown): string {
  if (value === null) return NULL;
  return typeof value === 'number' ? 'integer' : typeof value;
}

const NULL = 'null';

/** A text, number or list, or null, is a list of types: of the alternatives, openapi-generator's Python raises. */
function withNullAsType(schema: Form): Form {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const alternatives: readonly unknown[] = anyOf;
  const [one, other] = alternatives;
  if (!isObject(one) || !isObject(other) || other.type !== NULL) return schema;
  if (typeof one.type !== 'string' || one.type === 'object') return schema;
  return { ...one, ...rest, type: [one.type, NULL] };
}

/** Keywords that restrict one type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['required', 'properties', 'additionalProperties'],
};

/**
 * Several types beside null are alternatives of one type each, with the keywords of that type. oapi-codegen and ogen
 * refuse a whole document for one list of them. A value is an object or a list, never both; a number may also be read
 * from a text, where some clients would find two.
 */
function withOneTypeEach(schema: Form): Form {
  const { type, ...rest } = schema;
  const types = textsOf(type);
  if (types.filter((one) => one !== NULL).length < 2) return schema;
  const alternatives = types.map((one) => ({ type: one, ...picked(rest, KEYWORDS[one] ?? []) }));
  const shared = Object.entries(rest).filter(([key]) => !Object.values(KEYWORDS).flat().includes(key));
  return { ...Object.fromEntries(shared), [types.includes('object') ? 'oneOf' : 'anyOf']: alternatives };
}

/** The texts of a list; none for what is no list. */
function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function picked(schema: Form, keys: readonly string[]): Form {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)));
}

/**
 * An object of one form or another is one object: what both require, and the fields of both. ogen refuses a whole
 * document for objects that it cannot tell apart by a field.
 */
function withOneObject(schema: Form): Form {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every((one) => isObject(one) && isObject(one.properties)))
    return schema;
  const names = [...new Set(anyOf.flatMap((one: object) => Object.keys(propertiesOf(one))))];
  const properties = names.map((name) => [
    name,
    eitherOf(anyOf.map((one: object) => propertiesOf(one)[name])),
  ]);
  const required = names.filter((name) =>
    anyOf.every((one: object) => textsOf(Reflect.get(one, 'required')).includes(name)),
  );
  return { type: 'object', required, properties: Object.fromEntries(properties), ...rest };
}

/** A field that several objects have: what all say of it, else no more than their words. */
function eitherOf(fields: readonly unknown[]): unknown {
  const [one = {}, ...others] = fields.filter(isObject).map(({ description: _description, ...rest }) => rest);
  const known = others.every((other) => isDeepStrictEqual(one, other)) ? one : {};
  return { ...known, description: wordsOf(fields) };
}

function wordsOf(alternatives: readonly unknown[]): string {
  const words = alternatives.map((one) => (isObject(one) ? one.description : undefined));
  return [...new Set(words.filter((text) => typeof text === 'string'))].join(' Or: ');
}

/** A map of any keys, or a list, is any value: openapi-generator's Java does not compile. Its words tell. */
function withoutMapOrList(schema: Form): Form {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.some(isMap) || anyOf.every(isMap)) return schema;
  return { description: wordsOf(anyOf), ...rest };
}

function isMap(schema: unknown): boolean {
  return isObject(schema) && isObject(schema.additionalProperties);
}

/** A flag that is always the same is a flag, and its words say so: openapi-generator's Java does not compile. */
function withoutConstFlag(schema: Form): Form {
  const { const: _const, ...rest } = schema;
  return schema.type === 'boolean' ? rest : schema;
}

/** An enum with null has no default: openapi-generator's Go does not compile. The description names the default. */
function withoutNullDefault(schema: Form): Form {
  const { default: _default, ...rest } = schema;
  return isNullEnum(schema) ? rest : schema;
}

/**
 * An object of any fields, or null, is a named model or null. As a list of types openapi-generator's Java does not
 * compile; without the words that it may have any field, openapi-typescript and ogen make an object of none; without a
 * model, openapi-generator's Python raises and its Java does not compile, where no other part of the document hides it.
 */
function withOpenNullable(schema: Form): Form {
  const { type: types, additionalProperties, ...rest } = schema;
  if (!Array.isArray(types) || additionalProperties !== true) return schema;
  return { ...rest, anyOf: textsOf(types).map((type) => (type === NULL ? { type } : ANY_FIELDS)) };
}

const ANY_FIELDS = {
  title: 'AnyFields',
  type: 'object',
  description: 'Any fields, with any values.',
  additionalProperties: true,
};

/**
 * A field that is null or a model, or null or one of a few values, is not required, though it is always there:
 * openapi-generator's Java throws at the null.
 */
function withoutRequiredNull(schema: Form): Form {
  const { required } = schema;
  if (!Array.isArray(required)) return schema;
  const properties = propertiesOf(schema);
  return { ...schema, required: required.filter((name) => !isNullModel(properties[name])) };
}

function isNullModel(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return isNullEnum(schema) || (Array.isArray(schema.anyOf) && schema.anyOf.some(isNullType));
}

function isNullEnum({ enum: values }: Form): boolean {
  return Array.isArray(values) && values.includes(null);
}

function isNullType(schema: unknown): boolean {
  return isObject(schema) && schema.type === NULL;
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
