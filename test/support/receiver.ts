import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listen } from './local-server.js';

/** A received request. `at`: ms since 1970 when its body was complete. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/**
 * Answers a status, with a body, after a delay; or `redirect` to an address; `drip` single bytes; `hang`;
 * `reset` the connection; `endless` megabytes; `bomb` a gzip of zeros; `truncate` the body.
 */
type Behaviour =
  | { kind: 'answer'; status: number; body?: string; delayMs?: number; after?: Promise<unknown> }
  | { kind: 'redirect'; to: string }
  | { kind: 'drip' | 'hang' | 'reset' | 'endless' | 'bomb' | 'truncate' };

/** A webhook receiver on loopback. */
export interface Receiver {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  port: number;
  requests: Received[];
  /** Bytes of bodies written. */
  written(): number;
  /** Number of open requests. */
  open(): number;
  /** Sets the behavior from now on; the first requests may differ. */
  behave(behaviour: Behaviour, ...first: Behaviour[]): void;
  close(): Promise<void>;
}

const MEGABYTE = Buffer.alloc(1 << 20, 'a');
const BOMB = gzipSync(Buffer.alloc(200 << 20));

/** Starts a receiver that answers 200. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  let usual: Behaviour = { kind: 'answer', status: 200, body: 'ok' };
  let first: Behaviour[] = [];
  let written = 0;
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    void readBody(request).then((body) => {
      requests.push({
        path: request.url ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        body,
        at: Date.now(),
      });
      perform(first.shift() ?? usual, response, (bytes) => {
        written += bytes;
      });
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { url, port, close } = await listen(server);
  return {
    url,
    port,
    requests,
    written: () => written,
    open: () => open,
    behave(behaviour, ...others) {
      usual = behaviour;
      first = others;
    },
    close,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // Cut off by the sender: keeps what arrived.
  }
  return Buffer.concat(chunks).toString('utf8');
}

function perform(behaviour: Behaviour, response: ServerResponse, count: (bytes: number) => void): void {
  switch (behaviour.kind) {
    case 'answer':
      void Promise.resolve(behaviour.after).then(() =>
        setTimeout(() => {
          response.writeHead(behaviour.status).end(behaviour.body ?? '');
        }, behaviour.delayMs ?? 0).unref(),
      );
      return;
    case 'redirect':
      response.writeHead(302, { location: behaviour.to }).end();
      return;
    case 'drip': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 50);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'hang':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'truncate':
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.socket?.destroy());
      return;
    case 'bomb':
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
      return;
    case 'endless':
      response.writeHead(200, { 'content-length': String(1 << 30) });
      pour(response, count);
  }
}

/** Writes as fast as the other side reads. */
function pour(response: ServerResponse, count: (bytes: number) => void): void {
  if (response.destroyed) return;
  response.write(MEGABYTE, () => {
    count(MEGABYTE.length);
    setImmediate(() => pour(response, count));
  });
}
