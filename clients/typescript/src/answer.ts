/** An answer as it came. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The text read as JSON; undefined where it is none. */
  json: unknown;
}

/** A call that succeeded. */
export interface Answer<Body> {
  /** The object or list of the answer. */
  data: Body extends { data: infer Data } ? Data : undefined;
  /** The whole body: a list has `links` and `meta` too. */
  body: Body;
  /** The Idempotency-Key that a creation was sent with. */
  key: string | undefined;
  /** By this the service's operator finds the request. */
  requestId: string;
  /** Done before: this is the first answer again. */
  isReplay: boolean;
  /** Accepted, and still at work: the same call with the same `key` joins it. */
  isRunning: boolean;
  /** Tries that it took. */
  tries: number;
  raw: RawAnswer;
}

/** Reads an answer to its end. @throws what `fetch` throws where the answer is cut */
export async function readAnswer(response: Response): Promise<RawAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, text, json: parsed(text) };
}

/** An answer of 2xx for its caller; undefined where it cannot be read, such as a page of a proxy or half a body. */
export function toAnswer<Body>(
  raw: RawAnswer,
  sent: { key: string | undefined; requestId: string; tries: number },
): Answer<Body> | undefined {
  const body = raw.status === 204 ? { data: undefined } : raw.json;
  if (!isBody<Body & { data: Answer<Body>['data'] }>(body)) return undefined;
  return {
    ...sent,
    data: body.data,
    body,
    isReplay: raw.headers.get('idempotent-replayed') === 'true',
    isRunning: raw.status === 202,
    raw,
  };
}

/** The service keeps its document, and may add to it: that the rest is there is believed, not checked. */
function isBody<Body>(json: unknown): json is Body {
  return typeof json === 'object' && json !== null && 'data' in json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
