import { AppError } from '../domain/errors.js';
import { type FieldErrors, problemAt } from '../domain/problems/problem.js';
import { LIMITS } from '../lib/limits/values.js';
import { isObject } from './openapi-schema.js';
import { shownPath } from './validation.js';

/** A read body, and the displayed JSON paths of texts with NUL or half of a surrogate pair. */
export interface RequestBody {
  value: unknown;
  unsafeTexts: string[];
  /** The request's fingerprint, if reading the body computed it. */
  fingerprint?: string;
}

/**
 * Parses a request body. Refuses more than 32 levels, `__proto__` keys, numbers beyond 2^53 and bytes that are not
 * UTF-8, which other readers interpret differently. Of equal keys the last one wins; a byte order mark is skipped.
 * @throws AppError `malformed_json`, `payload_too_large` for more than `maxValues` values, or an object of more than
 * 1000 members.
 */
export function parseJson(bytes: Buffer, maxValues = LIMITS.requests.values): RequestBody {
  const text = decode(bytes);
  refuseTooMuch(bytes, maxValues);
  const value = parse(text);
  return { value, unsafeTexts: unsafeTextsOf(value) };
}

/**
 * Whether JSON text is deeper than `maxDepth`, has more than `maxValues` values, or an object of more than `maxMembers`
 * members, which is `maxValues` by default. Uses almost no memory, so it runs before parsing. For invalid JSON the result is meaningless.
 */
export function excessOf(
  bytes: Buffer,
  bounds: { maxDepth: number; maxValues: number; maxMembers?: number },
): 'depth' | 'values' | 'members' | null {
  const { maxDepth, maxValues, maxMembers = maxValues } = bounds;
  let values = 1;
  let depth = 0;
  let isFirst = false;
  /** Members so far of the open objects, by depth; those of an array do not count. */
  const members = [NOT_COUNTED];
  const add = () => {
    values += 1;
    members[depth] = (members[depth] ?? NOT_COUNTED) + 1;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BYTES.comma) add();
    else if (byte === BYTES.closeArray || byte === BYTES.closeObject) {
      depth -= 1;
      isFirst = false;
      // Unbalanced: the parser will fail here.
      if (depth < 0) return null;
    } else if (byte !== undefined && byte > BYTES.space) {
      if (isFirst) add();
      isFirst = byte === BYTES.openArray || byte === BYTES.openObject;
      if (isFirst) members[++depth] = byte === BYTES.openObject ? 0 : NOT_COUNTED;
      else if (byte === BYTES.quote) at = endOfText(bytes, at);
    }
    if (depth > maxDepth) return 'depth';
    if (values > maxValues) return 'values';
    if ((members[depth] ?? 0) > maxMembers) return 'members';
  }
  return null;
}

const NOT_COUNTED = Number.NEGATIVE_INFINITY;
/** Characters of JSON. */
const BYTES = {
  quote: 0x22,
  backslash: 0x5c,
  space: 0x20,
  comma: 0x2c,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Position of the closing quote of the text that begins at `start`; the end of the bytes without one. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== BYTES.quote) at += bytes[at] === BYTES.backslash ? 2 : 1;
  return at;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The request body is not valid UTF-8.', cause);
  }
}

/**
 * Refuses a body by its depth, its number of values or an object of more than 1000 members, before parsing.
 * @throws AppError `malformed_json`, `payload_too_large`
 */
export function refuseTooMuch(bytes: Buffer, maxValues: number): void {
  const { levels, members } = LIMITS.requests;
  const excess = excessOf(bytes, { maxDepth: levels, maxValues, maxMembers: members });
  if (excess === 'depth') throw malformed(`The request body is deeper than ${levels} levels.`);
  if (excess === null) return;
  const message =
    excess === 'values'
      ? `The request body holds more than ${maxValues} values.`
      : `An object of the request body has more than ${members} members.`;
  throw new AppError('payload_too_large', message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    if (/^[ \t\r\n]*$/.test(text)) throw malformed('The request body is empty; JSON is expected.', cause);
    if (cause.message.includes('end of JSON')) throw malformed('The request body ends too early.', cause);
    // The rest of the message quotes the body.
    const position = / at position (\d+)/.exec(cause.message)?.[0] ?? '';
    throw malformed(`The request body is not valid JSON${position}.`, cause);
  }
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('malformed_json', message, { cause });
}

/**
 * The displayed paths of texts with NUL or half of a surrogate pair, in a value of at most `LIMITS.requests.levels`
 * levels. @throws as {@link parseJson}
 */
export function unsafeTextsOf(whole: unknown): string[] {
  const unsafe: string[] = [];
  /** Keys and indexes from the outermost value to the present one. */
  const path: (string | number)[] = [];
  const inspectText = (text: string) => {
    if (unsafe.length < 20 && UNSAFE_TEXT.test(text)) unsafe.push(shownPath(path) || 'body');
  };
  const inspect = (value: unknown) => {
    if (typeof value === 'string') inspectText(value);
    else if (typeof value === 'number') refuseUnsafeNumber(value);
    else if (isObject(value)) {
      if (Object.hasOwn(value, '__proto__')) throw malformed('The request body holds the key __proto__.');
      for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
        if (typeof key === 'string') inspectText(key);
        path.push(key);
        inspect(member);
        path.pop();
      }
    }
  };
  inspect(whole);
  return unsafe;
}

/** The field errors for such texts, by path; null without any. */
export function unsafeFields(paths: readonly string[]): FieldErrors | null {
  if (paths.length === 0) return null;
  return Object.fromEntries(paths.map((path) => [path, [problemAt(path, 'unsafe_text')]]));
}

/** With the flag `u` a whole pair is one code point, so only a half matches. */
const UNSAFE_TEXT = /[\0\p{Surrogate}]/u;

/**
 * An integer beyond 2^53 is unsafe after parsing too, however it was rounded. What is no number in a form passes: the
 * schema names its field.
 */
function refuseUnsafeNumber(value: number): void {
  if (Number.isNaN(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  throw malformed('The request body holds a number beyond 2^53; send it as a text.');
}
