import { AppError } from '../domain/errors.js';

/** Deepest nesting of a body; the outermost object or array is level 1. */
export const MAX_DEPTH = 32;

/** A parsed body, and the JSON paths of texts that hold NUL or half of a surrogate pair. */
export interface ParsedJson {
  value: unknown;
  unsafeTexts: string[];
}

/**
 * Parses a request body more strictly than `JSON.parse`: duplicate keys, `__proto__`, more than 32 levels,
 * numbers beyond 2^53 and bytes that are not UTF-8 are refused, since each means something else to another reader.
 * @throws AppError `malformed_json`
 */
export function parseJson(bytes: Buffer): ParsedJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The request body is not valid UTF-8.', cause);
  }
  return new JsonReader(text).read();
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('malformed_json', message, { cause });
}

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const LITERAL = /true|false|null/y;
/** With the flag `u` a whole pair is one code point, so only a half matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const MAX_UNSAFE_REPORTED = 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

class JsonReader {
  readonly #text: string;
  readonly #unsafeTexts: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ParsedJson {
    this.#skip();
    if (this.#at === this.#text.length) throw malformed('The request body is empty; JSON is expected.');
    const value = this.#value('', 0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return { value, unsafeTexts: this.#unsafeTexts };
  }

  #value(path: string, depth: number): unknown {
    const next = this.#text[this.#at];
    if (next === '{') return this.#object(path, depth + 1);
    if (next === '[') return this.#array(path, depth + 1);
    if (next === '"') return this.#string(path);
    const literal = this.#match(LITERAL);
    if (literal !== undefined) return LITERALS.get(literal);
    return this.#number();
  }

  #object(path: string, depth: number): Record<string, unknown> {
    this.#enter(depth);
    const result: Record<string, unknown> = {};
    if (this.#closes('}')) return result;
    do {
      this.#skip();
      const key = this.#string(path);
      if (key === '__proto__') throw malformed('The request body holds the key __proto__.');
      if (Object.hasOwn(result, key)) throw malformed('The request body holds a key twice.');
      this.#skip();
      this.#expect(':');
      this.#skip();
      result[key] = this.#value(path === '' ? key : `${path}.${key}`, depth);
    } while (this.#continues('}'));
    return result;
  }

  #array(path: string, depth: number): unknown[] {
    this.#enter(depth);
    const result: unknown[] = [];
    if (this.#closes(']')) return result;
    do {
      this.#skip();
      result.push(this.#value(path === '' ? `${result.length}` : `${path}.${result.length}`, depth));
    } while (this.#continues(']'));
    return result;
  }

  #string(path: string): string {
    const start = this.#at;
    const token = this.#scanString();
    const value = token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
    if (
      (value.includes('\0') || LONE_SURROGATE.test(value)) &&
      this.#unsafeTexts.length < MAX_UNSAFE_REPORTED
    ) {
      this.#unsafeTexts.push(path);
    }
    this.#at = start + token.length;
    return value;
  }

  /** The text with its quotes, its escapes checked, so that `JSON.parse` takes it. */
  #scanString(): string {
    if (this.#text[this.#at] !== '"') throw this.#unexpected();
    let at = this.#at + 1;
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) return this.#text.slice(this.#at, at + 1);
      if (code < SPACE) throw malformed(`Unescaped control character at position ${at}.`);
      if (code === BACKSLASH) at += this.#escapeLength(at + 1);
    }
    throw malformed('The request body ends inside a text.');
  }

  /** Length of the escape whose letter is at `at`: 1, or 5 for `uXXXX`. */
  #escapeLength(at: number): number {
    const letter = this.#text.charAt(at);
    if (letter === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(at + 1, at + 5))) return 5;
    if (letter !== '' && '"\\/bfnrt'.includes(letter)) return 1;
    throw malformed(`Unknown escape in the text at position ${at - 1}.`);
  }

  #number(): number {
    const token = this.#match(NUMBER);
    if (token === undefined) throw this.#unexpected();
    const value = Number(token);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw malformed('The request body holds a number beyond 2^53; send it as a text.');
    }
    return value;
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH) throw malformed(`The request body is deeper than ${MAX_DEPTH} levels.`);
    this.#at++;
  }

  /** Whether the object or array ends here, empty. */
  #closes(end: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== end) return false;
    this.#at++;
    return true;
  }

  /** After a member: true at a comma, false at the end. */
  #continues(end: string): boolean {
    this.#skip();
    const next = this.#text[this.#at];
    if (next !== ',' && next !== end) throw this.#unexpected();
    this.#at++;
    return next === ',';
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#unexpected();
    this.#at++;
  }

  #skip(): void {
    this.#match(WHITESPACE);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0];
    if (token !== undefined) this.#at += token.length;
    return token;
  }

  #unexpected(): AppError {
    if (this.#at >= this.#text.length) return malformed('The request body ends too early.');
    return malformed(`The request body is not valid JSON at position ${this.#at}.`);
  }
}
