import type { ErrorObject } from 'ajv';
import type { Problem, Rule, ValuesOf } from '../domain/problems/problem.js';
import { choices } from '../lib/choices.js';

/** Says a problem of a field in the words of one program, such as `problemAt`. */
type Say = <R extends Rule>(path: string, rule: R, ...values: ValuesOf<R>) => Problem;

/** The broken rule of a schema's keyword; null for a keyword that each program checks by its own rules. */
export function schemaProblem(
  { keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>,
  path: string,
  say: Say,
): Problem | null {
  const limit = Number(params.limit);
  switch (keyword) {
    case 'required':
      return say(path, 'required');
    case 'type': {
      const type = String(params.type).replaceAll(',', ' or ');
      return say(path, /^(integer|number)\b/.test(type) ? 'whole_number' : 'type', { type });
    }
    case 'enum':
      return say(path, 'choice', { choices: choices(params.allowedValues) });
    case 'minLength':
      return say(path, limit === 1 ? 'not_empty' : 'min_length', { limit });
    case 'maxLength':
      return say(path, 'max_length', { limit });
    case 'minimum':
      return say(path, 'minimum', { limit });
    case 'maximum':
      return say(path, 'maximum', { limit });
    case 'maxItems':
      return say(path, 'max_items', { limit });
    case 'minItems':
      return say(path, 'min_items', { limit });
    default:
      return null;
  }
}
