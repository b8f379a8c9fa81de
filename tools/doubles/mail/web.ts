import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Answer, answer, type Catcher } from './answers.js';
import type { Mailbox } from './mailbox.js';
import type { SmtpServer } from './smtp.js';

const PAGE_POLICY = "default-src 'none'; img-src data:; base-uri 'none'; frame-ancestors 'none'";
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** A listening inbox; `url` has no trailing slash. */
export interface Inbox {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the web inbox on loopback, with `/api/mails` (GET, DELETE) and `/api/faults` (POST `{ kind, times? }`)
 * for programs. @throws Error when the port is taken
 */
export async function startInbox(box: Mailbox, smtp: SmtpServer, port: number): Promise<Inbox> {
  const server = createServer((request, response) => {
    answerTo(request, { box, smtp })
      .catch((): Answer => ({ status: 400, type: 'text/plain', body: 'The request cannot be read.\n' }))
      .then((reply) => send(response, reply))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Refuses other sites, which could read or empty the inbox through DNS rebinding. */
async function answerTo(request: IncomingMessage, catcher: Catcher): Promise<Answer> {
  if (!LOCAL_HOST.test(request.headers.host ?? '') || isForeign(request)) return { status: 403 };
  return await answer(request, catcher);
}

function isForeign(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
}

async function send(response: ServerResponse, { status, type, body, headers }: Answer): Promise<void> {
  response.writeHead(status, {
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...headers,
  });
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) response.end(body);
  else await pipeline(Readable.from(body), response);
}
