import { Agent, DecoratorHandler, type Dispatcher, request } from 'undici';
import { problem } from '../domain/problems/problem.js';
import { withDeadline } from '../lib/in-time.js';
import type { TimeLimit } from '../lib/time-limit.js';
import { failSpan, inSpan, SpanKind, traceHeaders } from '../lib/tracing.js';
import type { Outcome } from './contract.js';

const CONNECT_MS = 5000;

/** One call to a carrier. `timeoutMs` covers everything from connecting to the last byte of the reply. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  timeoutMs: number;
  maxReplyBytes: number;
  signal: AbortSignal;
  /** Nothing is written to a connection after it ends; the outcome is then `unavailable`. */
  sendWithin?: TimeLimit | undefined;
  /** Replaces the shared pool. */
  dispatcher?: Dispatcher | undefined;
  /** Statuses from 400 on that the adapter reads itself; their replies are `accepted`. */
  readStatuses?: readonly number[];
}

/** A complete reply with a success status or one of `readStatuses`. */
export interface HttpReply {
  status: number;
  contentType: string;
  body: Buffer;
}

type Failure = Exclude<Outcome<never>, { kind: 'accepted' | 'duplicate' }>;

/** One keep-alive pool per host for the whole process. Idle connections do not keep the process alive. */
const agent = new Agent({
  connect: { timeout: CONNECT_MS },
  connections: 64,
  keepAliveTimeout: 4_000,
  pipelining: 1,
});

/** Errors from before a connection exists: nothing can have reached the carrier. */
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

/** Errors of connecting. On an open connection they mean that a reply may be lost. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/**
 * Sends one call, once. A status below 300 is `accepted`; the adapter interprets the body. Never throws for
 * network or carrier errors. Texts name only the kind of failure: addresses may hold personal data.
 */
export async function sendOnce(call: HttpCall): Promise<Outcome<HttpReply>> {
  if (call.signal.aborted) return { kind: 'unavailable', text: problem('call_aborted').text };
  if (call.sendWithin?.isOver) return TOO_LATE;
  return await withDeadline(call.timeoutMs, call.signal, async (signal) => {
    const progress = { hasStarted: false };
    try {
      return await traced(call, () => exchange(call, signal, progress));
    } catch (error) {
      // The time ran out before there was a connection to write to.
      return signal.aborted && !progress.hasStarted ? NOT_REACHED : outcomeOfError(error);
    }
  });
}

/** A span of the call. It names the carrier's host, and no path: that may hold a code or a token. */
async function traced(
  { method, url }: HttpCall,
  work: () => Promise<Outcome<HttpReply>>,
): Promise<Outcome<HttpReply>> {
  const host = URL.canParse(url) ? new URL(url).hostname : 'malformed';
  const attributes = { 'http.request.method': method, 'server.address': host };
  return await inSpan(
    method,
    { kind: SpanKind.CLIENT, attributes },
    async (span) => {
      const outcome = await work();
      if (outcome.kind === 'accepted') span.setAttribute('http.response.status_code', outcome.value.status);
      else failSpan(span, outcome.kind);
      return outcome;
    },
    codeOf,
  );
}

async function exchange(
  call: HttpCall,
  signal: AbortSignal,
  progress: { hasStarted: boolean },
): Promise<Outcome<HttpReply>> {
  const pool = call.dispatcher ?? agent;
  const reply = await request(call.url, {
    method: call.method,
    headers: { 'accept-encoding': 'identity', ...traceHeaders(), ...call.headers },
    body: call.body ?? null,
    dispatcher: markingStart(pool, progress, call.sendWithin),
    signal,
    // undici must not retry a booking that is a GET.
    idempotent: false,
  });
  const body = await readCapped(reply.body, call.maxReplyBytes);
  if (body === null) return { kind: 'unknown', text: problem('reply_large').text };
  const isRead = call.readStatuses?.includes(reply.statusCode) === true;
  const failure = failureOf(reply.statusCode, first(reply.headers['retry-after']), Date.now());
  if (failure !== null && !isRead) return failure;
  const contentType = first(reply.headers['content-type']) ?? '';
  return { kind: 'accepted', value: { status: reply.statusCode, contentType, body } };
}

const NOT_REACHED = { kind: 'unavailable', text: problem('carrier_late').text } as const;
const TOO_LATE = { kind: 'unavailable', text: problem('call_late').text } as const;

class TooLate extends Error {}

/** Marks the start of writing the request. Checks the limit again first: connecting may have taken long. */
function markingStart(
  pool: Dispatcher,
  progress: { hasStarted: boolean },
  limit: TimeLimit | undefined,
): Dispatcher {
  return pool.compose((dispatch) => (options, handler) => {
    const inTime: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = inTime.onRequestStart?.bind(inTime);
    inTime.onRequestStart = (controller, context) => {
      start?.(controller, context);
      if (limit?.isOver) controller.abort(new TooLate());
      progress.hasStarted = !controller.aborted;
    };
    return dispatch(options, inTime);
  });
}

/** The outcome that the HTTP status alone decides; null where the body decides (below 300). */
export function failureOf(status: number, retryAfter: string | undefined, nowMs: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  const text = `The carrier answered HTTP ${status}.`;
  if (status === 401 || status === 403) return { kind: 'unauthorized', text };
  if (status === 429) return { kind: 'throttled', retryAfterMs: retryAfterMs(retryAfter, nowMs), text };
  // The request may have been carried out despite a redirect, a timeout or a server error.
  if (status < 400 || status === 408 || status >= 500) return { kind: 'unknown', text };
  return { kind: 'rejected', code: `http_${status}`, text };
}

/** Milliseconds to wait by a Retry-After header (seconds or HTTP date); undefined when unreadable. */
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

/** The outcome of a call whose exchange failed. */
export function outcomeOfError(error: unknown): Outcome<never> {
  if (error instanceof TooLate) return TOO_LATE;
  const code = codeOf(error);
  if (isBeforeSending(error, code))
    return { kind: 'unavailable', text: problem('carrier_not_reached', { code }).text };
  if (code === 'FORBIDDEN_ADDRESS') {
    return {
      kind: 'rejected',
      code: 'forbidden_address',
      text: problem('address_not_public').text,
    };
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_URL') {
    return { kind: 'rejected', code: 'invalid_settings', text: problem('address_malformed').text };
  }
  return { kind: 'unknown', text: problem('no_readable_answer', { code }).text };
}

function isBeforeSending(error: unknown, code: string): boolean {
  if (NOT_SENT.has(code)) return true;
  // Several addresses were tried.
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
