import type { ErrorObject } from 'ajv';
import { shortened } from '../lib/text.js';

/** Characters that strict JSON readers refuse. With the flag `u` a whole pair is one code point. */
const UNREADABLE = /[\0\p{Surrogate}]/gu;

/**
 * The displayed JSON path of a field (`shipments.3.order.id`): too long ones lose their middle, and NUL and halves of
 * surrogate pairs are replaced, which the database and many clients would refuse as JSON.
 */
export function shownPath(parts: readonly (string | number)[]): string {
  // The keys are the caller's, and stand in an answer many times.
  const path = parts.map((part) => shortened(String(part), 80)).join('.');
  return shortened(path, 200).replace(UNREADABLE, '\ufffd');
}

/** The field of an Ajv error, or the missing one; empty for the whole value. */
export function pathOfError({ instancePath, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing: unknown = params.missingProperty;
  if (typeof missing === 'string') parts.push(missing);
  return shownPath(parts);
}
