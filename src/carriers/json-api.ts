import { isWebPage } from '../domain/web-page.js';
import { jsonOf, textAt } from '../lib/json.js';
import type { CallContext, CarrierAccount, Outcome } from './contract.js';
import { type HttpCall, sendOnce } from './http.js';
import { messagesOf } from './json.js';
import { INVALID_SETTINGS } from './settings.js';
import { carrierText } from './text.js';

/** A success, or a refusal in `readStatuses`. `json` is undefined when the body is not JSON. */
export interface JsonReply {
  status: number;
  json: unknown;
  /** A body that is not JSON, when short enough to be a message, and no page of a web server. */
  text?: string;
}

/** One call of a JSON API. `readStatuses` overrides those of {@link ApiPlace}. */
interface ApiCall {
  method: HttpCall['method'];
  /** Path below the API's address, without a leading slash. */
  path: string;
  body?: object;
  readStatuses?: readonly number[];
}

/** Address and headers of an account's calls. */
interface ApiPlace {
  url: string;
  headers?: Record<string, string>;
  readStatuses?: readonly number[];
  /** 5 MB by default. */
  maxReplyBytes?: number;
}

/**
 * Makes one call and reads its reply. Other outcomes are returned unchanged. Nothing is sent when the account's
 * settings are invalid.
 */
type JsonApi<C> = <T>(
  context: CallContext,
  call: ApiCall | ((config: C) => ApiCall),
  read: (reply: JsonReply, config: C) => Outcome<T> | Promise<Outcome<T>>,
) => Promise<Outcome<T>>;

/** Refusals whose body has the carrier's reason. Missing rights, throttling and timeouts have their own outcomes. */
const REFUSALS = [400, 402, 404, 405, 406, 409, 410, 413, 415, 422];

/** Calls of a carrier's JSON API. `placeOf` returns the URL of a path and the credentials. */
export function jsonApi<C extends { timeoutMs: number }>(
  readConfig: (account: CarrierAccount) => C | null,
  placeOf: (config: C, path: string) => ApiPlace,
): JsonApi<C> {
  return async ({ account, signal, sendWithin }, call, read) => {
    const config = readConfig(account);
    if (config === null) return INVALID_SETTINGS;
    const { method, path, body, ...own } = typeof call === 'function' ? call(config) : call;
    const { headers, ...place } = placeOf(config, path);
    const outcome = await sendOnce({
      method,
      readStatuses: REFUSALS,
      maxReplyBytes: 5_000_000,
      ...place,
      ...own,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: config.timeoutMs,
      signal,
      sendWithin,
    });
    if (outcome.kind !== 'accepted') return outcome;
    return read(jsonReply(outcome.value.status, outcome.value.body), config);
  };
}

export function jsonReply(status: number, body: Buffer): JsonReply {
  const json = jsonOf(body);
  const text = json === undefined && body.length <= 500 ? body.toString('utf8') : '';
  return { status, json, ...(text === '' || isWebPage(text) ? {} : { text }) };
}

/**
 * A refusal in the carrier's words: of the first of `places` that has some, else of its whole body; the HTTP status where
 * it said nothing.
 */
export function saidIn({ status, json, text }: JsonReply, ...places: unknown[]): string {
  const said = [...places, text, json].map((place) => messagesOf(place)).find((words) => words !== '');
  return carrierText(said ?? '') || `The carrier answered HTTP ${status}.`;
}

/** `base_url` without trailing slashes. */
export function baseOf({ base_url }: { base_url: string }): string {
  return base_url.replace(/\/+$/, '');
}

/** The parcel's code in the field `name`; null when it is not fit for a URL path. */
export function codeAt(json: unknown, name: string): string | null {
  const code = textAt(json, name);
  return /^[\w-]{1,64}$/.test(code) ? code : null;
}
