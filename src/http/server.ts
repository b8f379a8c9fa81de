import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorBody, helpHeader } from '../api/errors.js';
import type { Config } from '../config/config.js';
import { AppError } from '../domain/errors.js';
import { LIMITS } from '../lib/limits/values.js';

const UNREAD_BODY_BYTES = 1 * 1024 * 1024;
const UNREAD_BODY_MS = 1000;

/** A listening API. */
export interface RunningServer {
  /** `http://host:port` of the listener. */
  url: string;
  port: number;
  server: Server;
  /**
   * Tells callers that connections end, and `afterMs` later takes no new ones; finishes requests under way within
   * `shutdownGraceMs`, then cuts the rest.
   */
  close(afterMs?: number): Promise<void>;
}

/**
 * Starts listening on `config.host:config.port` (0: any free port). Rejects when the port is taken. `limits`: other
 * limits of a request than those of the table.
 */
export async function startServer(
  app: RequestListener,
  config: Pick<Config, 'host' | 'port' | 'shutdownGraceMs'> &
    Partial<Pick<Config, 'maxConnections' | 'docs'>>,
  limits: Partial<typeof LIMITS.requests> = {},
): Promise<RunningServer> {
  const { headersMs, headerBytes, stalledMs, takenMs, idleMs } = { ...LIMITS.requests, ...limits };
  const server = createServer({
    headersTimeout: headersMs,
    // The reader of a body watches its pace.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1000, headersMs),
    keepAliveTimeout: idleMs,
    maxHeaderSize: headerBytes,
  });
  const active = new Set<ServerResponse>();
  let draining = false;
  if (config.maxConnections !== undefined) server.maxConnections = config.maxConnections;
  const take = oneAtATime((req, res) => {
    active.add(res);
    // Each handler of a request listens for its end, and a pipeline several times.
    res.setMaxListeners(20);
    res.once('close', () => active.delete(res));
    dropStalled(res, stalledMs);
    dropSlow(res, takenMs);
    endUnreadBody(req, res);
    if (draining) res.shouldKeepAlive = false;
    app(req, res);
  });
  server.on('request', take);
  // The body reader sends 100 once the credentials are valid.
  server.on('checkContinue', take);
  server.on('clientError', (error, socket) => {
    const isAnswering = [...active].some((res) => res.socket === socket);
    refuseBrokenRequest(error, socket, { isAnswering, docs: config.docs ?? 'none' });
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const port = boundPort(server);
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    server,
    close: async (afterMs = 0) => {
      draining = true;
      for (const res of active) res.shouldKeepAlive = false;
      if (afterMs > 0) await delay(afterMs);
      await drain(server, config.shutdownGraceMs);
    },
  };
}

/** Starts the requests waiting behind the present one. */
type Line = (() => void)[];

/**
 * Handles a connection's requests one after the other, each after the client has received the previous answer. Node
 * itself would start all pipelined requests at once, keep their answers, and never close those left when the connection
 * ends. A connection with too many requests is ended.
 */
function oneAtATime(take: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  const begin = (line: Line, ...[req, res]: Parameters<RequestListener>) => {
    const { socket } = req;
    take(req, res);
    const goOn = () => {
      // The remaining ones can no longer be answered.
      if (!socket.writable) return;
      const next = line.shift();
      if (next === undefined) lines.delete(socket);
      else next();
    };
    // After all other listeners, which free what the answer held.
    res.once('close', () => process.nextTick(goOn));
  };
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: Line = [];
      lines.set(socket, own);
      begin(own, req, res);
    } else if (line.length < LIMITS.requests.pipelined) line.push(() => begin(line, req, res));
    else socket.destroy();
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
    // Its client left before the answer was ready: no close follows.
    if (res.destroyed) return;
    const timer = setTimeout(() => res.socket?.destroy(), timeoutMs);
    res.once('close', () => clearTimeout(timer));
  });
}

/**
 * Discards the rest of a body after the answer. Node would read it to its end, however long; closing the connection
 * with unread bytes resets it, and the client might never see the answer.
 */
function endUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (!req.complete && !req.socket.destroyed) bound(req, req.socket);
  });
}

function bound(req: IncomingMessage, socket: Socket): void {
  const most = socket.bytesRead + UNREAD_BODY_BYTES;
  const until = Date.now() + UNREAD_BODY_MS;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) clearInterval(timer);
    else if (Date.now() >= until || socket.bytesRead > most) socket.destroy();
  }, 100);
  timer.unref();
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

/**
 * Node's parser refuses it before the application: answers here, in the same shape. Slow headers behind a request that
 * is still being answered get none, nor does a connection that was opened for later and never used.
 */
function refuseBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { isAnswering, docs }: { isAnswering: boolean; docs: Config['docs'] },
): void {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const isUnused = socket instanceof Socket && socket.bytesRead === 0;
  if ((isSlow && (isAnswering || isUnused)) || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = brokenRequest(error.code);
  const body = JSON.stringify(errorBody(refusal));
  const headers = Object.entries(helpHeader({ docs }, refusal)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n${headers.join('')}\r\n${body}`,
    () => socket.destroy(),
  );
}

function brokenRequest(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('request_timeout', 'The headers of the request came too slowly.');
  }
  return code === 'HPE_HEADER_OVERFLOW'
    ? new AppError('headers_too_large', 'The headers of the request are too large.')
    : new AppError('malformed_json', 'The request is not valid HTTP.');
}
