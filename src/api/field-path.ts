import type { ErrorObject } from 'ajv';
import { shortened } from '../lib/text.js';

/** What strict readers of JSON refuse in any text. With the flag `u` a whole pair is one code point. */
const UNREADABLE = /[\0\p{Surrogate}]/gu;

/**
 * The JSON path of a field (`shipments.3.order.id`) as it is shown: of what is too long the middle is left out, and NUL
 * and halves of surrogate pairs are replaced. Without one it would be no JSON to the database and to many a client.
 */
export function shownPath(parts: readonly (string | number)[]): string {
  // The keys are the caller's, and stand in an answer many times.
  const path = parts.map((part) => shortened(String(part), 80)).join('.');
  return shortened(path, 200).replace(UNREADABLE, '\ufffd');
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
