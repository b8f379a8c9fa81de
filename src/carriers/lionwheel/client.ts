import type { Outcome } from '../contract.js';
import { type HttpCall, type HttpReply, sendOnce } from '../http.js';
import type { LionwheelConfig } from './config.js';

const MAX_REPLY_BYTES = 10_000_000;

/** Statuses that bring a reason in their body, which decides what they mean. */
const READ_STATUSES = [403, 404, 409, 422];

/** Calls `path` below `/api/v1/`, with a JSON body where one is given. The key travels in the query. */
export function callApi(
  method: HttpCall['method'],
  path: string,
  body: object | undefined,
  { settings, key, timeoutMs }: LionwheelConfig,
  signal: AbortSignal,
): Promise<Outcome<HttpReply>> {
  const base = settings.base_url.replace(/\/+$/, '');
  return sendOnce({
    method,
    url: `${base}/api/v1/${path}?key=${encodeURIComponent(key)}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    maxReplyBytes: MAX_REPLY_BYTES,
    signal,
    readStatuses: READ_STATUSES,
  });
}
