import type { TSchema } from 'typebox';
import { isObject } from '../../lib/json.js';
import { withoutMarks } from '../../lib/sent-text.js';
import type { Input } from './input.js';

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
]);

/**
 * Converts the declared fields of the input to the types of their schema where possible: PHP sends numbers as texts,
 * and an empty list for an empty object. Null and invisible text count as missing. Values that do not convert stay, for
 * validation to report; undeclared fields are kept.
 */
export function coerceInput(schema: TSchema, input: Input): Input {
  const properties: unknown = Reflect.get(schema, 'properties');
  if (!isObject(properties)) return input;
  const declared = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const value = Object.hasOwn(input, name) ? input[name] : null;
    const read = value === null ? null : coerce(property, value);
    return read === null ? [] : [[name, read]];
  });
  const others = Object.entries(input).filter(([name]) => !Object.hasOwn(properties, name));
  return Object.fromEntries([...others, ...declared]);
}

function coerce(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  switch (schema.type) {
    case 'object':
      return coerceObject(schema, value);
    case 'array':
      return coerceArray(schema, value);
    case 'integer':
      return coerceNumber(value, /^[+-]?\d{1,15}$/);
    case 'number':
      return coerceNumber(value, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i);
    case 'boolean':
      return BOOLEANS.get(value) ?? value;
    case 'string':
      if (typeof value === 'string') return withoutMarks(value) || null;
      return schema.enum !== undefined && typeof value === 'number' ? String(value) : value;
    default:
      return value;
  }
}

function coerceObject(schema: TSchema, value: unknown): unknown {
  const object = Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : value;
  return isObject(object) ? coerceInput(schema, object) : value;
}

/**
 * PHP encodes a list whose keys do not run from 0 as an object. Of a list that is too long one extra entry is kept: it
 * is refused all the same, and validation does not read hundreds of thousands.
 */
function coerceArray(schema: Record<string, unknown>, value: unknown): unknown {
  const list = isObject(value) ? Object.values(value) : value;
  if (!Array.isArray(list)) return value;
  const most = typeof schema.maxItems === 'number' ? schema.maxItems + 1 : list.length;
  return list.slice(0, most).map((one) => coerce(schema.items, one));
}

function coerceNumber(value: unknown, pattern: RegExp): unknown {
  return typeof value === 'string' && pattern.test(value) ? Number(value) : value;
}
