import type { ErrorObject } from 'ajv';
import { shortened } from '../lib/text.js';

/** Characters of a path in an answer, and of each key in it: the keys are the caller's, and stand there many times. */
const MAX_PATH = 200;
const MAX_KEY = 80;
/** What strict readers of JSON refuse in any text. With the flag `u` a whole pair is one code point. */
const UNREADABLE = /[\0\p{Surrogate}]/gu;

/**
 * The JSON path of a field (`shipments.3.order.id`) as it is shown: of what is too long the middle is left out, and NUL
 * and halves of surrogate pairs are replaced. Without one it would be no JSON to the database and to many a client.
 */
export function shownPath(parts: readonly (string | number)[]): string {
  const path = parts.map((part) => shortened(String(part), MAX_KEY)).join('.');
  return shortened(path, MAX_PATH).replace(UNREADABLE, '\ufffd');
}

/** The field that an error of Ajv is about, or that is missing; empty for the whole value. */
export function pathOfError({ instancePath, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing: unknown = params.missingProperty;
  if (typeof missing === 'string') parts.push(missing);
  return shownPath(parts);
}
