/** How to reach the service, and how patient to be with it. */
export interface ClientOptions {
  /** Address of the service, such as `https://parcels.example.com`; `/api/v2` at its end is left out. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** Names your program in the `User-Agent` and to the hooks, such as `my-shop/1.2`. */
  appName?: string | undefined;
  /** Sends each request, once: the client repeats it. Default is the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Tries of one call, the first included. Default 5. */
  maxTries?: number | undefined;
  /** Of one try. Default 40 s: a creation is answered within 25 s. */
  tryTimeoutMs?: number | undefined;
  /** Of a call with all of its tries. Default 150 s. */
  timeoutMs?: number | undefined;
  /** A longer `Retry-After` ends the call instead of waiting for it. Default 60 s. */
  maxRetryAfterMs?: number | undefined;
  /** How many answers to reads are kept to ask with `If-None-Match` whether they changed. Default 0. */
  keptReads?: number | undefined;
  /** Called before each try. */
  onTry?: ((sent: Try) => void) | undefined;
  /** Called after each try. */
  onTried?: ((tried: Tried) => void) | undefined;
  /** Gets one line for each try, without secrets, query and bodies. */
  log?: ((line: string) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions extends Pick<ClientOptions, 'maxTries' | 'tryTimeoutMs' | 'timeoutMs'> {
  /**
   * The Idempotency-Key of a creation: stable for the click that it comes from, such as `<shop>-<order>-<n>`. Without
   * it the client makes one, which guards the tries of this call alone.
   */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An operation by the API's document. */
export interface Operation {
  method: string;
  /** Below `/api/v2`, with `{names}` of parameters. */
  path: string;
  /** Makes a repeat harmless: its key, its nature, or nothing. */
  repeat: 'key' | 'safe' | 'never';
}

/** The input of a call. */
export interface Input {
  path?: Readonly<Record<string, string | number>> | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** One try of a call. */
export interface Try {
  appName: string | undefined;
  method: string;
  /** Without its query. */
  path: string;
  key: string | undefined;
  requestId: string;
  /** From 1. */
  attempt: number;
}

/** A try with its outcome. */
export interface Tried extends Try {
  /** Absent without an answer that could be read. */
  status?: number;
  durationMs: number;
  /** Why there was no answer. */
  error?: unknown;
}
