import { Agent, DecoratorHandler, type Dispatcher, request } from 'undici';
import type { TimeLimit } from '../lib/time-limit.js';
import type { Outcome } from './contract.js';

/** One call to a carrier. `timeoutMs` covers everything from connecting to the last byte of the reply. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  timeoutMs: number;
  maxReplyBytes: number;
  signal: AbortSignal;
  /** Nothing is written to a connection once it is over; the outcome is `unavailable` then. */
  sendWithin?: TimeLimit | undefined;
  /** Instead of the pool that all calls share. */
  dispatcher?: Dispatcher | undefined;
  /** Statuses from 400 whose replies the adapter reads by itself: they come back as `accepted`. */
  readStatuses?: readonly number[];
}

/** A whole reply with a status of success, or one of `readStatuses`. */
export interface HttpReply {
  status: number;
  contentType: string;
  body: Buffer;
}

type Failure = Exclude<Outcome<never>, { kind: 'accepted' | 'duplicate' }>;

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_HOST = 64;

/** One keep-alive pool a host, for the whole process. Idle connections do not keep a process alive. */
const agent = new Agent({
  connect: { timeout: CONNECT_TIMEOUT_MS },
  connections: CONNECTIONS_PER_HOST,
  keepAliveTimeout: 4_000,
  pipelining: 1,
});

/** Failures that happen before a connection exists, so that nothing can have reached the carrier. */
const NOT_SENT = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** So do these of connecting; on a connection that is there they mean that a reply may be lost. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/**
 * Sends one call, once. A reply below 300 is `accepted`; what the carrier means by its body is the adapter's
 * affair. Never throws for anything the network or the carrier does. Texts name the kind of failure only,
 * never the address, which may hold personal data.
 */
export async function sendOnce(call: HttpCall): Promise<Outcome<HttpReply>> {
  if (call.signal.aborted) return { kind: 'unavailable', text: 'The call was aborted before it was sent.' };
  if (call.sendWithin?.isOver) return TOO_LATE;
  // Not AbortSignal.any: Node 20 may collect the time-out's signal before it fires.
  const controller = new AbortController();
  const abort = () => controller.abort();
  // One turn later: a reply that came while the process stood still is in the socket, and is read first.
  const timer = setTimeout(() => setImmediate(abort), call.timeoutMs);
  call.signal.addEventListener('abort', abort, { once: true });
  const progress = { isBegun: false };
  try {
    return await exchange(call, controller.signal, progress);
  } catch (error) {
    // The time was over before there was a connection to write to.
    return controller.signal.aborted && !progress.isBegun ? NOT_REACHED : outcomeOfError(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', abort);
  }
}

async function exchange(
  call: HttpCall,
  signal: AbortSignal,
  progress: { isBegun: boolean },
): Promise<Outcome<HttpReply>> {
  const pool = call.dispatcher ?? agent;
  const reply = await request(call.url, {
    method: call.method,
    headers: { 'accept-encoding': 'identity', ...call.headers },
    body: call.body ?? null,
    dispatcher: notingBegin(pool, progress, call.sendWithin),
    signal,
    // A booking by GET must never be repeated by the client behind our back.
    idempotent: false,
  });
  const body = await readCapped(reply.body, call.maxReplyBytes);
  if (body === null) return { kind: 'unknown', text: 'The reply is larger than allowed.' };
  const isRead = call.readStatuses?.includes(reply.statusCode) === true;
  const failure = failureOf(reply.statusCode, first(reply.headers['retry-after']), Date.now());
  if (failure !== null && !isRead) return failure;
  const contentType = first(reply.headers['content-type']) ?? '';
  return { kind: 'accepted', value: { status: reply.statusCode, contentType, body } };
}

const NOT_REACHED = { kind: 'unavailable', text: 'The carrier cannot be reached in time.' } as const;
const TOO_LATE = { kind: 'unavailable', text: 'The call was held up, and not sent.' } as const;

class TooLate extends Error {}

/**
 * Notes that the request begins to be written. A process may stand still while it connects: the limit is asked again just
 * before.
 */
function notingBegin(
  pool: Dispatcher,
  progress: { isBegun: boolean },
  limit: TimeLimit | undefined,
): Dispatcher {
  return pool.compose((dispatch) => (options, handler) => {
    const inTime: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = inTime.onRequestStart?.bind(inTime);
    inTime.onRequestStart = (controller, context) => {
      start?.(controller, context);
      if (limit?.isOver) controller.abort(new TooLate());
      progress.isBegun = !controller.aborted;
    };
    return dispatch(options, inTime);
  });
}

/** The outcome that an HTTP status alone decides, or null where the body decides (below 300). */
export function failureOf(status: number, retryAfter: string | undefined, nowMs: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  const text = `The carrier answered HTTP ${status}.`;
  if (status === 401 || status === 403) return { kind: 'unauthorized', text };
  if (status === 429) return { kind: 'throttled', retryAfterMs: retryAfterMs(retryAfter, nowMs), text };
  // A redirect, a time-out or a server error says nothing about what was done before it.
  if (status < 400 || status === 408 || status >= 500) return { kind: 'unknown', text };
  return { kind: 'rejected', code: `http_${status}`, text };
}

/** Milliseconds to wait by a Retry-After header (seconds or an HTTP date), undefined when unreadable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header.trim()) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

async function readCapped(body: AsyncIterable<unknown> & { destroy(): unknown }, max: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > max) {
      body.destroy();
      return null;
    }
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** What a failed exchange says of the call. */
export function outcomeOfError(error: unknown): Outcome<never> {
  if (error instanceof TooLate) return TOO_LATE;
  const code = codeOf(error);
  if (isBeforeSending(error, code))
    return { kind: 'unavailable', text: `The carrier cannot be reached (${code}).` };
  if (code === 'FORBIDDEN_ADDRESS') {
    return {
      kind: 'rejected',
      code: 'forbidden_address',
      text: 'The carrier named an address that is not public.',
    };
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return { kind: 'rejected', code: 'invalid_settings', text: 'The carrier address or token is malformed.' };
  }
  return { kind: 'unknown', text: `No readable answer from the carrier (${code}).` };
}

function isBeforeSending(error: unknown, code: string): boolean {
  if (NOT_SENT.has(code)) return true;
  // Of several addresses that were tried.
  const tried: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return NOT_CONNECTED.has(code) && tried.every(isOfConnecting);
}

function isOfConnecting(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
