import { AppError } from '../../domain/errors.js';
import { excessOf } from '../json-body.js';

/** Deeper bodies count as unreadable; ours have five levels at most. */
const MAX_DEPTH = 64;
/** Values of a body: an order of two thousand products. Who sends it is known by what it holds. */
const MAX_VALUES = 20_000;
/** Query parameters that are read; more are ignored. */
const MAX_PARAMETERS = 1000;
/** With the flag `u` a whole pair is one code point, so only a half matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/** What JavaScript may not hold exactly. */
const LONG_INTEGER = /^-?\d{16,}$/;
/** A text or a number of valid JSON. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const BLANK = /[\s\0\u200b\u200e]/;
const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** What a caller sent, the query and the JSON body in one: texts trimmed, empty ones null. */
export type Input = Record<string, unknown>;

/**
 * Reads the parameters of a request as the framework of the old service did: query and JSON body in one, of which the
 * body wins. A body that is no JSON, by its type or by its bytes, counts as empty. `query`: without the question mark.
 * @throws AppError `payload_too_large` for a body of more than 20,000 values.
 */
export function readInput(query: string, body: { contentType: string; bytes: Buffer }): Input {
  const json = isJson(body.contentType) ? parsedOrNull(body.bytes) : null;
  const fromBody = isObject(json) ? json : {};
  const cleaned = clean({ ...parseQuery(query), ...fromBody });
  return isObject(cleaned) ? cleaned : {};
}

function isJson(contentType: string): boolean {
  const [type = ''] = contentType.toLowerCase().split(';');
  return type.includes('/json') || type.includes('+json');
}

function parsedOrNull(bytes: Buffer): unknown {
  const excess = excessOf(bytes, { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES });
  if (excess === 'values') throw new AppError('payload_too_large', 'The body holds too many values.');
  if (excess === 'depth') return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parsedExactly(text);
    return isReadable(value, 0) ? value : null;
  } catch {
    return null;
  }
}

/** Long integers become texts: PHP holds them, and a tracking code that is rounded names another parcel. */
function parsedExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Only of what is known to be JSON are the texts found in one pass.
  if (!/\d{16}/.test(text)) return value;
  return JSON.parse(
    text.replace(TEXT_OR_NUMBER, (found) => (LONG_INTEGER.test(found) ? `"${found}"` : found)),
  );
}

/** Whether it is no deeper than {@link MAX_DEPTH} and all its texts are whole. */
function isReadable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((one) => isReadable(one, depth + 1));
  return Object.entries(value).every(([key, one]) => !LONE_SURROGATE.test(key) && isReadable(one, depth + 1));
}

/** Trims every text, turns empty ones into null, and leaves out keys that mean something to JavaScript. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return trimmed(value) || null;
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, one]) => [key, clean(one)]));
}

/** By hand: an expression that is anchored at the end takes quadratic time over long runs of blanks. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A query with `a[b]=c` and `a[]=c`, as PHP reads it: the last of equal names counts. */
function parseQuery(query: string): Input {
  const root: Input = {};
  const sizes: Sizes = new Map();
  for (const [name, value] of [...new URLSearchParams(query)].slice(0, MAX_PARAMETERS)) {
    const match = KEY.exec(name);
    const [, first = name, brackets = ''] = match ?? [];
    const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key);
    const path = [first, ...inner];
    if (!path.includes('__proto__') && path.length <= MAX_DEPTH) put(root, path, value, sizes);
  }
  return root;
}

/** How many keys each object has: to count them anew for each `[]` takes quadratic time. */
type Sizes = Map<Input, number>;

/** A key that is empty is the number of keys that are there. */
function put(root: Input, path: readonly string[], value: string, sizes: Sizes): void {
  let at = root;
  for (const [index, key] of path.entries()) {
    const size = sizes.get(at) ?? 0;
    const name = key === '' ? String(size) : key;
    const isThere = Object.hasOwn(at, name);
    if (!isThere) sizes.set(at, size + 1);
    if (index === path.length - 1) {
      at[name] = value;
      return;
    }
    const next = isThere ? at[name] : undefined;
    const inner = isObject(next) ? next : {};
    at[name] = inner;
    at = inner;
  }
}

/** Whether it is an object that is no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
