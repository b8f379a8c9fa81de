import { AppError } from '../../domain/errors.js';
import { LIMITS } from '../../lib/limits/values.js';
import { decoded, UnreadableBody } from './unreadable.js';

const MAX_LEVELS = 8;

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const BYTES = { percent: 0x25, ampersand: 0x26, five: 0x35, bracket: 0x5b } as const;

/** Nested texts by name. */
interface Fields {
  [name: string]: string | Fields;
}

/**
 * Reads `application/x-www-form-urlencoded` with PHP's nesting, `a[b]=c` and `a[]=c`. Of equal names the last one wins;
 * numbered names make objects. Names with `__proto__` are left out.
 * @throws UnreadableBody for text that is not UTF-8, or has more than 8 levels
 * @throws AppError `payload_too_large` for more than 250,000 fields and brackets
 */
export function parseForm(bytes: Buffer): Fields {
  if (partsOf(bytes) > LIMITS.requests.formParts)
    throw new AppError('payload_too_large', 'The body holds too many fields.');
  // A text with NUL is UTF-16.
  if (bytes.includes(0)) throw new UnreadableBody('charset');
  return parsePairs(decoded(bytes), (why) => {
    throw new UnreadableBody(why);
  });
}

/** Reads a query in the same way, without its unreadable parts. `query`: without the question mark. */
export function parseQuery(query: string): Fields {
  return parsePairs(query, () => undefined);
}

/** Counts `&` and `[`, plain or as `%5B`. */
function partsOf(bytes: Buffer): number {
  let count = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BYTES.ampersand || byte === BYTES.bracket) count += 1;
    else if (byte === BYTES.percent && bytes[at + 1] === BYTES.five && ((bytes[at + 2] ?? 0) | 0x20) === 0x62)
      count += 1;
  }
  return count;
}

/** `onBad` may throw; else the field is left out. */
function parsePairs(text: string, onBad: (why: 'charset' | 'depth') => void): Fields {
  const root: Fields = {};
  const sizes: Sizes = new Map();
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decode(pair.slice(at + 1));
    if (name === null || value === null) onBad('charset');
    else if (name !== '') {
      const path = pathOf(name);
      if (path.length > MAX_LEVELS) onBad('depth');
      else if (!path.includes('__proto__')) put(root, path, value, sizes);
    }
  }
  return root;
}

/** Null if it is not UTF-8. A percent sign without two digits stays, as in PHP. */
function decode(text: string): string | null {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return null;
  }
}

/** A name with unbalanced brackets is one key. */
function pathOf(name: string): string[] {
  if (!name.includes('[')) return [name];
  const [, first = name, brackets = ''] = KEY.exec(name) ?? [];
  return brackets === '' ? [first] : [first, ...brackets.slice(1, -1).split('][')];
}

/** Number of keys of each object: counting them for each `[]` would take quadratic time. */
type Sizes = Map<object, number>;

/** An empty key becomes the number of existing keys. */
function put(root: Fields, path: readonly string[], value: string, sizes: Sizes): void {
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
    const inner: Fields = typeof next === 'object' ? next : {};
    at[name] = inner;
    at = inner;
  }
}
