import { AppError } from '../../domain/errors.js';
import { isObject } from '../../lib/json.js';
import { LIMITS } from '../../lib/limits/values.js';
import { excessOf } from '../json-body.js';
import { parseForm, parseQuery } from './form.js';
import { decoded, UnreadableBody } from './unreadable.js';

const MAX_LEVELS = 64;

/** With the flag `u` a whole pair is one code point, so only a half matches. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Integers that JavaScript may round. */
const LONG_INTEGER = /^-?\d{16,}$/;
/** A text or a number of valid JSON. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const BLANK = /[\s\0\u200b\u200e]/;
/** No form begins like this: JSON sent without its type. */
const JSON_BEGIN = /^[\s\ufeff]*[{[]/;
/** Values that plugins send for a store without a token. */
const NO_TOKEN: ReadonlySet<unknown> = new Set(['0', 0, false]);

/** The caller's parameters, query and body merged: texts trimmed, empty ones null. */
export type Input = Record<string, unknown>;

/** A body as received. */
interface SentBody {
  contentType: string;
  /** `Content-Encoding`; empty for none. */
  coding: string;
  bytes: Buffer;
}

/**
 * Reads the parameters of a request like the old service's framework: query and body merged; the body wins. `query`:
 * without the question mark. `readBody`: {@link readStrictly} for a POST, {@link readJsonOnly} for a GET.
 * @throws the errors of `readBody`
 */
export function readInput(query: string, body: SentBody | null = null, readBody = readJsonOnly): Input {
  const cleaned = clean({ ...parseQuery(query), ...(body === null ? {} : readBody(body)) });
  if (!isObject(cleaned)) return {};
  const { token, ...rest } = cleaned;
  return NO_TOKEN.has(token) ? rest : cleaned;
}

/** A body of JSON; any other, by its type or its bytes, counts as empty. @throws AppError `payload_too_large` */
export function readJsonOnly({ contentType, bytes }: SentBody): Input {
  if (!isJson(mediaType(contentType))) return {};
  try {
    return parseJson(bytes);
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) return {};
    throw thrown;
  }
}

/**
 * A body of JSON or of a form.
 * @throws UnreadableBody
 * @throws AppError `payload_too_large` for more than 20,000 values of JSON, 250,000 fields and brackets of a form
 */
export function readStrictly({ contentType, coding, bytes }: SentBody): Input {
  if (!/^(?:identity)?$/i.test(coding.trim())) throw new UnreadableBody('coding');
  const type = mediaType(contentType);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && !isJson(type)) throw new UnreadableBody('type');
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";]*)/i.exec(contentType) ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset.trim())) throw new UnreadableBody('charset');
  if (!isForm) return parseJson(bytes);
  if (JSON_BEGIN.test(bytes.toString('utf8', 0, 100))) throw new UnreadableBody('type');
  return parseForm(bytes);
}

function mediaType(contentType: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  return type.trim();
}

function isJson(type: string): boolean {
  return type.includes('/json') || type.includes('+json');
}

/** PHP encodes an empty object as an empty list. @throws UnreadableBody, AppError `payload_too_large` */
function parseJson(bytes: Buffer): Input {
  const excess = excessOf(bytes, { maxDepth: MAX_LEVELS, maxValues: LIMITS.requests.v1Values });
  if (excess === 'values') throw new AppError('payload_too_large', 'The body holds too many values.');
  if (excess === 'depth') throw new UnreadableBody('depth');
  const value = parsedExactly(decoded(bytes));
  if (isObject(value) && isWhole(value)) return value;
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  throw new UnreadableBody('json');
}

/**
 * The value of JSON text, undefined for any other. Long integers become texts: PHP stores them exactly, and a rounded
 * tracking code names another parcel.
 */
function parsedExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // The expression requires valid JSON to find the texts in one pass.
    if (!/\d{16}/.test(text)) return value;
    return JSON.parse(
      text.replace(TEXT_OR_NUMBER, (found) => (LONG_INTEGER.test(found) ? `"${found}"` : found)),
    );
  } catch {
    return undefined;
  }
}

/** Whether all its texts are whole. It is at most `MAX_LEVELS` deep. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, one]) => !LONE_SURROGATE.test(key) && isWhole(one));
}

/** Trims every text, turns empty ones into null, and drops keys with a meaning in JavaScript. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return trimmed(value) || null;
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, one]) => [key, clean(one)]));
}

/** By hand: an expression anchored at the end takes quadratic time over long runs of blanks. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANK.test(text.charAt(start))) start += 1;
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
