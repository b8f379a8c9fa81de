/** A schema of the document; only what it uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The TypeScript type of a schema. `isOpen`: it comes in answers, where a newer service may give other texts than those
 * that it names now.
 */
export function typeOf(schema: Schema, isOpen: boolean): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return union(choices.map((one) => typeOf(one, isOpen)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => JSON.stringify(value));
    const others = isOpen ? types.flatMap((type) => OTHERS[type] ?? []) : [];
    return union([...values, ...others]);
  }
  if (types.length === 0) return 'unknown';
  return union(types.map((type) => PRIMITIVES[type] ?? compound(type, schema, isOpen)));
}

/** Any other value, while an editor still offers those that are known. */
const OTHERS: Readonly<Record<string, string>> = { string: '(string & {})', integer: '(number & {})' };

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function compound(type: string, schema: Schema, isOpen: boolean): string {
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, isOpen)}>`;
  if (schema.properties !== undefined) return objectOf(schema, isOpen);
  const { additionalProperties: values } = schema;
  return `Record<string, ${typeof values === 'object' ? typeOf(values, isOpen) : 'unknown'}>`;
}

function objectOf({ properties = {}, required = [] }: Schema, isOpen: boolean): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(schema, isOpen);
    return required.includes(name)
      ? `${comment(schema)}${key}: ${type};\n`
      : `${comment(schema)}${key}?: ${type} | undefined;\n`;
  });
  return `{\n${members.join('')}}`;
}

/** The document's description as a comment. */
export function comment({ description }: { description?: string }): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}

/** Names of the schemas that a value refers to, also through others. */
export function reached(value: unknown, schemas: Readonly<Record<string, Schema>>, into: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) reached(one, schemas, into);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '$ref' || typeof inner !== 'string') {
      reached(inner, schemas, into);
      continue;
    }
    const name = inner.split('/').at(-1) ?? '';
    if (into.has(name) || !inner.startsWith('#/components/schemas/')) continue;
    into.add(name);
    reached(schemas[name], schemas, into);
  }
}
