import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, Client } from 'undici';
import { withDeadline } from '../lib/in-time.js';
import { LIMITS } from '../lib/limits/values.js';
import { type AddressPolicy, createAddressPolicy, literalOf } from './addresses.js';
import { readKept } from './kept-body.js';
import { createResolver, type Resolve } from './resolver.js';

const CONNECT_MS = 15_000;
const CHECK_MS = 3000;

/** A request to a destination that someone else chose. `timeoutMs` covers everything from look-up to last byte. */
interface GuardedPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * `answered`: a complete reply, cut to 16 KiB. `failed`: no complete reply; `status` if its head arrived, and a
 * reason that names no address. `aborted`: by the caller's signal.
 */
export type GuardedOutcome =
  | { kind: 'answered'; status: number; body: string }
  | { kind: 'failed'; status: number | null; error: string }
  | { kind: 'aborted' };

/** Why a destination is refused before sending; null when it is not. */
export type Refusal = 'malformed' | 'scheme' | 'credentials' | 'port' | 'address' | null;

/** Sends requests to public addresses only. */
export interface GuardedClient {
  /** Checks a URL and the addresses its name resolves to now; an unresolvable name is not refused. */
  refusal(url: string): Promise<Refusal>;
  /**
   * Sends one POST, once, on a new connection to the address that was checked. Redirects are answers. Never
   * throws for network or receiver errors.
   */
  post(request: GuardedPost): Promise<GuardedOutcome>;
}

const LOCALHOST = /(?:^|\.)localhost\.?$/;

/** The host is, or resolves to, a forbidden address. */
class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/**
 * `allowedRanges`: private CIDRs to allow. `deniedRanges`: public CIDRs to refuse. `resolve`: replaces our
 * resolver.
 */
export interface GuardOptions {
  allowedRanges: readonly string[];
  deniedRanges?: readonly string[];
  resolve?: Resolve;
}

export function createGuardedClient(options: GuardOptions): GuardedClient {
  const { policy, resolve, connect } = guarded(options);
  return {
    async refusal(text) {
      const parsed = webUrl(text);
      if (typeof parsed === 'string') return parsed;
      // These names mean this machine, whatever its resolver says (RFC 6761).
      const literal = LOCALHOST.test(parsed.hostname) ? '127.0.0.1' : literalOf(parsed.hostname);
      const addresses =
        literal === null ? await resolvedInTime(resolve, parsed.hostname) : [{ address: literal }];
      if (!addresses.every(({ address }) => policy.permits(address))) return 'address';
      return addresses.every(({ address }) => policy.permits(address, parsed.port)) ? null : 'port';
    },
    async post(request) {
      const url = webUrl(request.url);
      if (typeof url === 'string') {
        return { kind: 'failed', status: null, error: 'The URL may not be called.' };
      }
      if (request.signal?.aborted) return { kind: 'aborted' };
      return await withDeadline(request.timeoutMs, request.signal, (signal) =>
        exchange(url, request, connect, signal),
      );
    },
  };
}

/**
 * A connection pool to public addresses only, for destinations that someone else chose. Others fail with the
 * code `FORBIDDEN_ADDRESS` before anything is sent.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  const { connect } = guarded(options);
  return new Agent({ connect, maxHeaderSize: LIMITS.webhooks.headerBytes, pipelining: 1 });
}

/** A dialer of public addresses only. */
export function guarded({ allowedRanges, deniedRanges, resolve = createResolver() }: GuardOptions) {
  const policy = createAddressPolicy(allowedRanges, deniedRanges);
  return { policy, resolve, connect: guardedConnector(policy, resolve) };
}

/** The address of a web server without credentials, else why it is none. */
export function webUrl(text: string): URL | Exclude<Refusal, null> {
  if (text.length > 2048 || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  return url.hostname === '' ? 'malformed' : url;
}

async function resolvedInTime(resolve: Resolve, hostname: string): Promise<{ address: string }[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((done) => {
    timer = setTimeout(() => done([]), CHECK_MS);
  });
  try {
    return await Promise.race([resolve(hostname), late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(
  url: URL,
  request: GuardedPost,
  connect: buildConnector.connector,
  signal: AbortSignal,
): Promise<GuardedOutcome> {
  // Only the caller's timeout applies; undici's restart at every byte.
  const client = new Client(url.origin, {
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: LIMITS.webhooks.headerBytes,
  });
  let status: number | null = null;
  try {
    const reply = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      body: request.body,
      signal,
      reset: true,
      idempotent: false,
    });
    status = reply.statusCode;
    return { kind: 'answered', status, body: await readKept(reply.body, reply.headers['content-encoding']) };
  } catch (error) {
    if (request.signal?.aborted) return { kind: 'aborted' };
    return { kind: 'failed', status, error: signal.aborted ? lateText(request) : textOf(error) };
  } finally {
    // Closes the connection even if the body was not read to its end.
    await client.destroy().catch(() => undefined);
  }
}

function lateText({ timeoutMs }: GuardedPost): string {
  return `No complete answer within ${timeoutMs / 1000} seconds.`;
}

const TEXTS: Readonly<Record<string, string>> = {
  FORBIDDEN_ADDRESS: 'The address is not public.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete.',
  ENOTFOUND: 'The host name does not resolve.',
  EAI_AGAIN: 'The host name does not resolve.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time.',
  UND_ERR_HEADERS_OVERFLOW: 'The answer has too many headers.',
};

function textOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return TEXTS[code] ?? `The request failed${/^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : ''}.`;
}

/** Checks literals, which are never looked up, and all addresses of a name: one forbidden address refuses the name. */
function guardedConnector(policy: AddressPolicy, resolve: Resolve): buildConnector.connector {
  const lookupFor =
    (port: string): LookupFunction =>
    (hostname, options, answer) => {
      resolve(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined || addresses.some(({ address }) => !policy.permits(address, port))) {
            answer(new ForbiddenAddressError(), '', 4);
          } else if (options.all === true) {
            answer(null, addresses);
          } else {
            answer(null, first.address, first.family);
          }
        },
        (error: unknown) => answer(error instanceof Error ? error : new Error('look-up failed'), '', 4),
      );
    };
  return (options, callback) => {
    const connect = buildConnector({
      lookup: lookupFor(options.port),
      timeout: CONNECT_MS,
      maxCachedSessions: 0,
      allowH2: false,
      keepAlive: false,
    });
    const literal = literalOf(options.hostname);
    if (literal !== null && !policy.permits(literal, options.port)) {
      callback(new ForbiddenAddressError(), null);
      return;
    }
    connect(options, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (policy.permits(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new ForbiddenAddressError(), null);
      }
    });
  };
}
