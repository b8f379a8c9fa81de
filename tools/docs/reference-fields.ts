import type { Json } from '../../src/api/openapi-document.js';
import { isObject } from '../../src/api/openapi-schema.js';
import { textAt } from '../../src/lib/json.js';
import { at, listAt, resolved } from './json.js';

/** Told once on the first page of a reference. */
const COMMON = new Set(['X-Request-Id', 'If-None-Match']);
/** A field inside this many others is left to the document. */
const MOST_LEVELS = 5;

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The parameters of an operation as a table; an empty text where it has none. */
export function parametersTable(document: Json, parameters: readonly unknown[]): string {
  const own = parameters
    .map((parameter) => at(resolved(document, parameter)))
    .filter((parameter) => !COMMON.has(textAt(parameter, 'name')));
  return table(
    ['parameter', 'in', 'type', 'meaning'],
    own.map((parameter) => [
      `\`${textAt(parameter, 'name')}\`${parameter['required'] === true ? ', required' : ''}`,
      textAt(parameter, 'in'),
      typeOf(document, parameter['schema']),
      textAt(parameter, 'description'),
    ]),
  );
}

/**
 * All fields of a body as a table, each by its path; an empty text for a body without any. Only of a request it counts
 * which ones must be there.
 */
export function fieldsTable(document: Json, schema: unknown, isRequest: boolean): string {
  return table(
    ['field', 'type', 'meaning'],
    fieldsOf(document, schema, '', MOST_LEVELS).map(({ name, type, isRequired, description }) => [
      `\`${name}\`${isRequest && isRequired ? ', required' : ''}`,
      type,
      description,
    ]),
  );
}

function fieldsOf(document: Json, given: unknown, prefix: string, levels: number): Field[] {
  const schema = resolved(document, given);
  if (levels === 0) return [];
  const variants = variantsOf(schema);
  if (variants.length > 0) {
    const all = variants.flatMap((variant) => fieldsOf(document, variant, prefix, levels));
    return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
  }
  const { items } = at(schema);
  if (items !== undefined) return fieldsOf(document, items, `${prefix}[]`, levels);
  const required = listAt(schema, 'required');
  return Object.entries(at(schema, 'properties')).flatMap(([key, property]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const own = {
      name,
      type: typeOf(document, property),
      isRequired: required.includes(key),
      description: descriptionOf(document, property),
    };
    return [own, ...fieldsOf(document, property, name, levels - 1)];
  });
}

function variantsOf(schema: unknown): readonly unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listAt(schema, keyword));
}

function descriptionOf(document: Json, property: unknown): string {
  return textAt(property, 'description') || textAt(resolved(document, property), 'description');
}

/** A type in words: `text of at most 255, or null`. */
function typeOf(document: Json, given: unknown): string {
  const schema = resolved(document, given);
  if (!isObject(schema)) return 'any';
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map((one) => typeOf(document, one)))].join(' or ');
  const { enum: values, const: only, type, format, items } = at(schema);
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' ');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  const names = (Array.isArray(type) ? type : [type]).map((name) =>
    name === undefined ? 'any' : String(name),
  );
  const list = items === undefined ? '' : ` of ${typeOf(document, items)}`;
  return `${names.join(' or ')}${list}${typeof format === 'string' ? ` (${format})` : ''}${boundsOf(at(schema))}`;
}

const BOUNDS: Readonly<Record<string, string>> = {
  minimum: 'from',
  maximum: 'to',
  minLength: 'at least',
  maxLength: 'at most',
  minItems: 'at least',
  maxItems: 'at most',
};

function boundsOf(schema: Json): string {
  const bounds = Object.entries(BOUNDS).flatMap(([keyword, words]) =>
    typeof schema[keyword] === 'number' ? [`${words} ${schema[keyword]}`] : [],
  );
  return bounds.length === 0 ? '' : `, ${bounds.join(' ')}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
