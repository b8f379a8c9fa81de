import type { ErrorObject, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { isObject } from '../../lib/json.js';
import { compileOnUse } from '../../lib/schema.js';
import { byPath } from '../validation.js';
import { coerceInput } from './coerce.js';
import type { Input } from './input.js';
import type { Messages } from './messages/messages.js';

const TYPES = ['integer', 'number', 'boolean', 'array', 'object'] as const;

/** Messages by field, in the language of the process. */
export type FieldTexts = Record<string, string[]>;

/** A rule over several fields: returns the errors in the coerced input. */
export type CrossRule = (input: Input, say: Messages) => FieldTexts;

/** The result of validation. */
type Checked<S> = { ok: true; input: S } | { ok: false; errors: FieldTexts };

/** A check of the input against a schema and rules over several fields, compiled on first use. */
export function inputCheck<S>(
  schema: TSchema,
  rules: readonly CrossRule[] = [],
): (input: Input, say: Messages) => Checked<S> {
  const compiled = compileOnUse<S>(schema);
  return (input, say) => {
    const check: ValidateFunction<S> = compiled();
    const coerced: unknown = coerceInput(schema, input);
    const isValid = check(coerced);
    const wrong = byPath(
      check.errors,
      (error, path) => messageFor(error, path, say),
      (text) => text,
    );
    const found = isValid ? {} : inOrderOf(schema, wrong);
    for (const rule of rules) merge(found, rule(isObject(coerced) ? coerced : {}, say));
    return isValid && Object.keys(found).length === 0
      ? { ok: true, input: coerced }
      : { ok: false, errors: found };
  };
}

/** The first message, and the number of others. */
export function summaryOf(errors: FieldTexts, say: Messages): string {
  const messages = Object.values(errors).flat();
  const [first = ''] = messages;
  return messages.length > 1 ? first + say.andMore(messages.length - 1) : first;
}

/** A field's name for people: `license_key` → `license key`. */
export function readable(field: string): string {
  return field.replaceAll('_', ' ');
}

function merge(into: FieldTexts, more: FieldTexts): void {
  for (const [field, messages] of Object.entries(more)) into[field] = [...(into[field] ?? []), ...messages];
}

/** In the order of the schema's fields. */
function inOrderOf(schema: TSchema, errors: FieldTexts): FieldTexts {
  const declared: unknown = Reflect.get(schema, 'properties');
  const order = isObject(declared) ? Object.keys(declared) : [];
  const place = (path: string) => order.indexOf(path.split('.')[0] ?? '');
  return Object.fromEntries(Object.entries(errors).sort(([one], [other]) => place(one) - place(other)));
}

function messageFor({ keyword, params }: ErrorObject, path: string, say: Messages): string {
  const field = readable(path);
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return say.required(field);
    case 'type':
      return say.wrongType(field, TYPES.find((type) => type === params.type) ?? 'string');
    case 'enum':
      return say.notListed(field);
    case 'maxLength':
      return say.tooLong(field, limit);
    case 'minLength':
      return say.tooShort(field, limit);
    case 'minimum':
      return say.tooSmall(field, limit);
    case 'maximum':
      return say.tooLarge(field, limit);
    case 'maxItems':
      return say.tooMany(field, limit);
    case 'minItems':
      return say.tooFew(field, limit);
    case 'format':
      return say.notADate(field);
    default:
      return say.invalid(field);
  }
}
