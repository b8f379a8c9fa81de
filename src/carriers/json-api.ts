import type { CallContext, CarrierAccount, Outcome } from './contract.js';
import { type HttpCall, sendOnce } from './http.js';
import { jsonOf, textAt } from './json.js';
import { INVALID_SETTINGS } from './settings.js';

/** A reply of success, or a refusal that its reader reads; `json` is undefined where the body is not JSON. */
export interface JsonReply {
  status: number;
  json: unknown;
  /** The body of a reply that is not JSON, where it is short enough to be a message. */
  text?: string;
}

/** One call of a JSON API. `readStatuses`: refusals that come as replies, in place of {@link ApiPlace}'s. */
export interface ApiCall {
  method: HttpCall['method'];
  /** Below the address of the API, without a slash in front. */
  path: string;
  body?: object;
  readStatuses?: readonly number[];
}

/** Where and how the calls of an account are sent. */
export interface ApiPlace {
  url: string;
  headers?: Record<string, string>;
  readStatuses?: readonly number[];
  /** 5 MB by default. */
  maxReplyBytes?: number;
}

/**
 * Makes one call and reads its reply; whatever kept the reply away is returned as it is, and nothing is sent where
 * the settings of the account are not valid.
 */
export type JsonApi<C> = <T>(
  context: CallContext,
  call: ApiCall | ((config: C) => ApiCall),
  read: (reply: JsonReply, config: C) => Outcome<T> | Promise<Outcome<T>>,
) => Promise<Outcome<T>>;

/** Refusals whose body has the carrier's reason. Missing rights, throttling and time-outs are outcomes by themselves. */
const REFUSALS = [400, 402, 404, 405, 406, 409, 410, 413, 415, 422];

const MAX_REPLY_BYTES = 5_000_000;
const MAX_MESSAGE_BYTES = 500;

/** The API of a carrier that takes and answers JSON. `placeOf` says where a path is, and what identifies the merchant. */
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
      maxReplyBytes: MAX_REPLY_BYTES,
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

/** A reply as readers take it. */
export function jsonReply(status: number, body: Buffer): JsonReply {
  const json = jsonOf(body);
  const isMessage = json === undefined && body.length <= MAX_MESSAGE_BYTES;
  return { status, json, ...(isMessage ? { text: body.toString('utf8') } : {}) };
}

/** The address of the settings without slashes at its end. */
export function baseOf({ base_url }: { base_url: string }): string {
  return base_url.replace(/\/+$/, '');
}

/** A parcel's code under this name, or null where it is none that can stand in an address. */
export function codeAt(json: unknown, name: string): string | null {
  const code = textAt(json, name);
  return /^[\w-]{1,64}$/.test(code) ? code : null;
}
