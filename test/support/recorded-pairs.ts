import type { HttpStack, SendOptions } from './http.js';

/** A client's outcome of an answer that it got at its last try. */
type Outcome =
  /** Done now, done before, or accepted and still at work. */
  | 'done'
  | 'replayed'
  | 'running'
  /** The request had no effect, and another try would be answered alike. */
  | 'refused'
  /** It did not happen, and may be tried again later. */
  | 'later'
  /** It may have happened. */
  | 'unknown'
  /** An earlier read still holds. */
  | 'unchanged';

/** A request and its answer, as they are in `clients/pairs`. */
export interface Pair {
  name: string;
  request: { method: string; path: string; headers: Record<string, string>; body?: unknown };
  answer: { status: number; headers: Record<string, string>; body?: unknown };
  /** `code`: of an error. `tries_again`: whether a client sends it once more by itself. */
  means: { outcome: Outcome; tries_again: boolean; code?: string };
}

/** A request of a pair, and what its answer means. */
export interface Asked extends Pick<Pair, 'name'>, Omit<Pair['means'], 'code' | 'tries_again'> {
  method: string;
  path: string;
  tries_again?: boolean;
  key?: string;
  options?: SendOptions;
}

const SHOWN = ['content-type', 'location', 'retry-after', 'idempotent-replayed', 'etag'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /20\d\d-\d\d-\d\dT[\d:.]+Z/g;

/** Sends a request, and gives the pair with what differs from run to run replaced. */
export async function record(http: HttpStack, asked: Asked): Promise<Pair> {
  const { name, method, path, key, options = {}, outcome, tries_again = false } = asked;
  const headers = { ...options.headers, ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
  const { status, headers: got, body } = await http.send(method, path, { ...options, headers });
  const shown = SHOWN.flatMap((header) => {
    const value = got.get(header);
    return value === null ? [] : [[header, value]];
  });
  const code: string | undefined = body?.error?.code;
  const pair: Pair = {
    name,
    request: {
      method,
      path: `/api/v2${path}`,
      headers,
      ...(options.json === undefined ? {} : { body: options.json }),
    },
    answer: { status, headers: Object.fromEntries(shown), ...(body === undefined ? {} : { body }) },
    means: { outcome, tries_again, ...(code === undefined ? {} : { code }) },
  };
  return JSON.parse(steady(JSON.stringify(pair)));
}

/** The same text in each run: ids by their order, one moment, one cursor. */
function steady(text: string): string {
  const known = new Map<string, string>();
  const numbered = (uuid: string) => {
    const stand = known.get(uuid) ?? `00000000-0000-4000-8000-${String(known.size + 1).padStart(12, '0')}`;
    known.set(uuid, stand);
    return stand;
  };
  return text
    .replace(UUID, numbered)
    .replace(MOMENT, '2026-01-01T08:00:00.000000Z')
    .replace(/whsec_\w{40}/g, `whsec_${'x'.repeat(40)}`)
    .replace(/(cursor(?:=|":"))[\w-]{20,}/g, '$1the-next-page')
    .replace(/("(?:etag|If-None-Match)":")[^,}]+?(\\"")/g, '$1\\"an-etag$2')
    .replace(/"((?:short_)?tracking_code)":"[^"]+"/g, '"$1":"RUN100001"')
    .replace(/"id":\d+/g, '"id":1')
    .replace(/"retry-after":"\d+"/, '"retry-after":"5"');
}
