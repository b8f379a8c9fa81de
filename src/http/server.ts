import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from '../api/errors.js';
import type { Config } from '../config/config.js';
import { AppError } from '../domain/errors.js';
import { LIMITS } from '../lib/limits/values.js';
import { oneAtATime } from './one-at-a-time.js';
import { endUnreadBody } from './unread-body.js';

/** A listening API. */
export interface RunningServer {
  /** `http://host:port` of the listener. */
  url: string;
  port: number;
  server: Server;
  /** Stops accepting connections, finishes requests under way within `shutdownGraceMs`, then cuts the rest. */
  close(): Promise<void>;
}

/** Limits of one request, in milliseconds and bytes; those of the table by default. */
export interface ServerLimits {
  /** For all headers. */
  headersTimeoutMs?: number;
  /** For the whole request, its body included. */
  requestTimeoutMs?: number;
  maxHeaderBytes?: number;
  /** For the client to take more of an answer. */
  writeTimeoutMs?: number;
  /** For the client to take the whole of what is left of an answer once nothing is added to it. */
  answerTimeoutMs?: number;
}

/** Starts listening on `config.host:config.port` (0: any free port). Rejects when the port is taken. */
export async function startServer(
  app: RequestListener,
  config: Pick<Config, 'host' | 'port' | 'shutdownGraceMs'> & Partial<Pick<Config, 'maxConnections'>>,
  limits: ServerLimits = {},
): Promise<RunningServer> {
  const {
    headersTimeoutMs = LIMITS.requests.headersMs,
    requestTimeoutMs = LIMITS.requests.requestMs,
    maxHeaderBytes = LIMITS.requests.headerBytes,
    writeTimeoutMs = LIMITS.requests.stalledMs,
    answerTimeoutMs = LIMITS.requests.takenMs,
  } = limits;
  const server = createServer({
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    keepAliveTimeout: LIMITS.requests.idleMs,
    maxHeaderSize: maxHeaderBytes,
  });
  const active = new Set<ServerResponse>();
  let draining = false;
  if (config.maxConnections !== undefined) server.maxConnections = config.maxConnections;
  const take = oneAtATime((req, res: ServerResponse<IncomingMessage> & { req: IncomingMessage }) => {
    active.add(res);
    // Each handler of a request listens for its end, and a pipeline several times.
    res.setMaxListeners(20);
    res.once('close', () => active.delete(res));
    dropStalled(res, writeTimeoutMs);
    dropSlow(res, answerTimeoutMs);
    endUnreadBody(req, res);
    if (draining) res.shouldKeepAlive = false;
    app(req, res);
  });
  server.on('request', take);
  // The body reader sends 100 once the credentials are valid.
  server.on('checkContinue', take);
  server.on('clientError', refuseBrokenRequest);
  await listen(server, config);
  const port = boundPort(server);
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    server,
    close: async () => {
      draining = true;
      for (const res of active) res.shouldKeepAlive = false;
      await drain(server, config.shutdownGraceMs);
    },
  };
}

/** Ends a connection that stalls while bytes of an answer wait for its client: they would stay in memory. */
function dropStalled(res: ServerResponse, timeoutMs: number): void {
  res.setTimeout(timeoutMs, () => {
    if (res.socket !== null && res.socket.writableLength > 0) res.socket.destroy();
  });
}

/** Ends a connection whose client takes too long for a ready answer, even if it reads slowly. */
function dropSlow(res: ServerResponse, timeoutMs: number): void {
  res.once('prefinish', () => {
    const timer = setTimeout(() => res.socket?.destroy(), timeoutMs);
    res.once('close', () => clearTimeout(timer));
  });
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function boundPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Node's parser refuses it before the application: answers here, in the same shape. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (slow || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('payload_too_large', 'The headers of the request are too large.')
      : new AppError('malformed_json', 'The request is not valid HTTP.');
  const body = JSON.stringify(errorBody(refusal));
  const reason = refusal.status === 413 ? 'Payload Too Large' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${refusal.status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
