import type { Outcome } from '../contract.js';
import { type HttpCall, type HttpReply, sendOnce } from '../http.js';
import type { CargoConfig } from './config.js';

/** A label comes inside a reply, a third longer than it is. */
const MAX_REPLY_BYTES = 15_000_000;

/** Statuses that bring a reason in their body. */
const READ_STATUSES = [400, 404, 422];

/** Calls `path` below `/api/shipments/`, with a JSON body where one is given. */
export function callApi(
  method: HttpCall['method'],
  path: string,
  body: object | undefined,
  { settings, token, timeoutMs }: CargoConfig,
  signal: AbortSignal,
): Promise<Outcome<HttpReply>> {
  return sendOnce({
    method,
    url: `${settings.base_url.replace(/\/+$/, '')}/api/shipments/${path}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    maxReplyBytes: MAX_REPLY_BYTES,
    signal,
    readStatuses: READ_STATUSES,
  });
}
