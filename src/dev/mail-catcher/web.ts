import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CaughtMail, Mailbox } from './mailbox.js';
import { inboxPage, mailPage, STYLE } from './pages.js';
import { MAIL_MODES, type SmtpServer } from './smtp.js';

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
/** For the mails themselves: nothing runs, nothing is loaded, links open beside the inbox. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** What the inbox answers with. */
interface Answer {
  status: number;
  type?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** A listening inbox. `url` has no trailing slash. */
export interface Inbox {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the web inbox on the loopback interface, with `/api/mails` (GET, DELETE) and `/api/faults` (POST
 * `{ kind, times? }`) for programs. @throws Error when the port is taken.
 */
export async function startInbox(box: Mailbox, smtp: SmtpServer, port: number): Promise<Inbox> {
  const server = createServer((request, response) => {
    answer(request, box, smtp).then(
      (reply) => send(response, reply),
      () => send(response, { status: 400, type: TEXT, body: 'The request cannot be read.\n' }),
    );
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

async function answer(request: IncomingMessage, box: Mailbox, smtp: SmtpServer): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://inbox');
  // A page of another site must not read the inbox by a name that it lets resolve to this machine, nor empty it.
  if (!LOCAL_HOST.test(request.headers.host ?? '') || isForeign(request)) return { status: 403 };
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return page(inboxPage(box.mails));
    case 'GET /style.css':
      return { status: 200, type: 'text/css; charset=utf-8', body: STYLE };
    case 'GET /health':
      return { status: 200, type: TEXT, body: 'ok\n' };
    case 'POST /clear':
      box.clear();
      return { status: 303, headers: { location: '/' } };
    case 'GET /api/mails':
      return json(200, box.mails.map(presentMail));
    case 'DELETE /api/mails':
      box.clear();
      return { status: 204 };
    case 'POST /callbacks':
      // Where the demo's store site is told of activations.
      return { status: 204 };
    case 'POST /api/faults':
      return setFault(smtp, await readJson(request));
    default:
      return request.method === 'GET' ? ofMail(box, pathname) : { status: 404 };
  }
}

function isForeign(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
}

function ofMail(box: Mailbox, pathname: string): Answer {
  const [, id, part, index] =
    /^\/mails\/(\d{1,9})(?:\/(html|source|attachments)(?:\/(\d{1,3}))?)?$/.exec(pathname) ?? [];
  const mail = id === undefined ? undefined : box.find(Number(id));
  if (mail === undefined) return { status: 404, type: TEXT, body: 'There is no such mail.\n' };
  if (part === 'html')
    return { ...page(framed(mail.html)), headers: { 'content-security-policy': MAIL_POLICY } };
  if (part === 'source') return { status: 200, type: TEXT, body: mail.source };
  if (part === undefined) return page(mailPage(mail));
  const file = mail.attachments[Number(index)];
  if (file === undefined) return { status: 404 };
  const name = encodeURIComponent(file.filename);
  return {
    status: 200,
    type: 'application/octet-stream',
    body: file.content,
    headers: { 'content-disposition': `attachment; filename*=UTF-8''${name}` },
  };
}

/** Links open beside the inbox, not in the frame. */
function framed(mailHtml: string): string {
  return `<base target="_blank">${mailHtml}`;
}

function setFault(smtp: SmtpServer, body: unknown): Answer {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const kind = fields.get('kind') === 'none' ? 'accept' : fields.get('kind');
  const times = fields.get('times') ?? Number.POSITIVE_INFINITY;
  const mode = MAIL_MODES.find((one) => one === kind);
  if (mode === undefined || typeof times !== 'number' || times < 1) {
    return json(400, { error: `kind is one of none, ${MAIL_MODES.join(', ')}; times at least 1` });
  }
  smtp.mode(mode, times);
  return json(200, { kind: mode });
}

function presentMail(mail: CaughtMail) {
  return {
    to: mail.to,
    from: mail.from,
    reply_to: mail.replyTo,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    message_id: mail.messageId,
    attachments: mail.attachments.map(({ filename, contentType, content }) => ({
      filename,
      content_type: contentType,
      content_base64: content.toString('base64'),
    })),
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function page(body: string): Answer {
  return { status: 200, type: HTML, body };
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...headers,
  });
  response.end(body);
}
