import { checkedKey } from './checked.js';
import type { CallOptions, ClientOptions, Input, Operation } from './options.js';

/** Of this package. */
export const VERSION = '0.1.0';
const AGENT = `parcelworks-js/${VERSION}`;

/** A call as it is sent, the same at each try. */
export interface Sending {
  method: string;
  /** Below the base URL, without its query. */
  path: string;
  url: string;
  key: string | undefined;
  requestId: string;
  init: RequestInit & { headers: Record<string, string> };
}

/** The request of a call, with the key that all of its tries have. */
export function sendingOf(
  { baseUrl, clientId, clientSecret, appName }: ClientOptions,
  { method, path: template, repeat }: Operation,
  { path: parameters = {}, query = {}, body }: Input,
  options: CallOptions,
): Sending {
  const key = repeat === 'key' ? checkedKey(options.key ?? crypto.randomUUID()) : undefined;
  const requestId = crypto.randomUUID();
  const path = `/api/v2${template.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, parameters[name]))}`;
  const search = searchOf(query);
  return {
    method,
    path,
    url: `${baseUrl}${path}${search === '' ? '' : `?${search}`}`,
    key,
    requestId,
    init: {
      method,
      // A redirect would take the secret elsewhere, and make a GET of a creation.
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        'X-Client-Id': clientId,
        'X-Client-Secret': clientSecret,
        'X-Request-Id': requestId,
        'User-Agent': appName === undefined ? AGENT : `${AGENT} ${appName}`,
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  };
}

/** An empty one would ask another route. */
function segment(name: string, value: string | number | undefined): string {
  if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
  return encodeURIComponent(value);
}

function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
