import type { JsonObject } from '../domain/shipment.js';
import type { Outcome } from './contract.js';
import { type HttpCall, sendOnce } from './http.js';
import { jsonOf, textAt } from './json.js';

/** A reply of success, or a refusal that its reader reads; `json` is undefined where the body is not JSON. */
export interface JsonReply {
  status: number;
  json: unknown;
}

/** Refusals whose body has the carrier's reason. Missing rights, throttling and time-outs are outcomes by themselves. */
const REFUSALS = [400, 402, 404, 405, 406, 409, 410, 413, 415, 422];

/** A reply that came but says nothing readable. */
export const UNREADABLE = { kind: 'unknown', text: 'The reply of the carrier cannot be read.' } as const;

/** Sends JSON, where there is a body, and reads JSON. */
export async function callJson(
  call: Omit<HttpCall, 'body' | 'headers' | 'maxReplyBytes'> & {
    headers: Record<string, string>;
    body?: JsonObject;
  },
): Promise<Outcome<JsonReply>> {
  const { body, headers, ...rest } = call;
  const outcome = await sendOnce({
    maxReplyBytes: 5_000_000,
    readStatuses: REFUSALS,
    ...rest,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (outcome.kind !== 'accepted') return outcome;
  return { kind: 'accepted', value: { status: outcome.value.status, json: jsonOf(outcome.value.body) } };
}

/** A parcel's code under this name, or null where it is none that can stand in an address. */
export function codeAt(json: unknown, name: string): string | null {
  const code = textAt(json, name);
  return /^[\w-]{1,64}$/.test(code) ? code : null;
}

/**
 * The outcome of a call that a booking makes before it books: whatever became of that call, nothing is booked, so
 * that an `unknown` one is `unavailable`.
 */
export function beforeBooking<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.kind === 'unknown' ? { kind: 'unavailable', text: outcome.text } : outcome;
}
