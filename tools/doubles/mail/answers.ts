import type { IncomingMessage } from 'node:http';
import { listPage } from './list-page.js';
import type { Mailbox, OpenedMail } from './mailbox.js';
import type { CaughtMail } from './parse.js';
import { MAIL_MODES, type SmtpServer } from './smtp.js';

/** For caught mails: no scripts, no requests. */
const MAIL_POLICY = `sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:`;
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** A response of the inbox. */
export interface Answer {
  status: number;
  type?: string;
  /** Pieces are produced while sending. */
  body?: string | Buffer | AsyncIterable<string>;
  headers?: Record<string, string>;
}

/** The mailbox and server behind the inbox. */
export interface Catcher {
  box: Mailbox;
  smtp: SmtpServer;
}

/** Answers a request. @throws Error for an unreadable body */
export async function answer(request: IncomingMessage, { box, smtp }: Catcher): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://inbox');
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return { status: 200, type: HTML, body: await listPage(box) };
    case 'GET /health':
      return { status: 200, type: TEXT, body: 'ok\n' };
    case 'GET /api/mails':
      return { status: 200, type: 'application/json', body: allAsJson(box) };
    case 'DELETE /api/mails':
      box.clear();
      return { status: 204 };
    case 'POST /callbacks':
      // Receives the activation calls of the demo's store site.
      return { status: 204 };
    case 'POST /api/faults':
      return setFault(smtp, await readJson(request));
    default:
      return request.method === 'GET' ? await ofMail(box, pathname) : { status: 404 };
  }
}

async function ofMail(box: Mailbox, pathname: string): Promise<Answer> {
  const [, id, part] =
    /^\/mails\/(\d{1,9})(?:\/(text|mail\.eml|attachments\/\d{1,3}))?$/.exec(pathname) ?? [];
  const opened = id === undefined ? null : await box.open(Number(id));
  if (opened === null) return { status: 404, type: TEXT, body: 'There is no such mail.\n' };
  const { html, text } = opened.mail;
  if (part === 'text' || (part === undefined && html === '')) return { status: 200, type: TEXT, body: text };
  if (part !== undefined) return fileOf(opened, part);
  return { status: 200, type: HTML, body: html, headers: { 'content-security-policy': MAIL_POLICY } };
}

function fileOf({ id, mail, source }: OpenedMail, part: string): Answer {
  if (part === 'mail.eml') return download(`mail-${id}.eml`, source);
  const file = mail.attachments[Number(part.split('/')[1])];
  return file === undefined ? { status: 404 } : download(file.filename, file.content);
}

function download(filename: string, body: Buffer): Answer {
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
  const headers = { 'content-disposition': disposition };
  return { status: 200, type: 'application/octet-stream', body, headers };
}

function setFault(smtp: SmtpServer, body: unknown): Answer {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const kind = fields.get('kind') === 'none' ? 'accept' : fields.get('kind');
  const times = fields.get('times') ?? Number.POSITIVE_INFINITY;
  const to = fields.get('to');
  const mode = MAIL_MODES.find((one) => one === kind);
  if (mode === undefined || typeof times !== 'number' || times < 1) {
    return json(400, { error: `kind is one of none, ${MAIL_MODES.join(', ')}; times at least 1` });
  }
  if (to !== undefined && typeof to !== 'string') return json(400, { error: 'to is an e-mail address' });
  smtp.mode(mode, times, to);
  return json(200, { kind: mode });
}

/** One mail at a time: together they may exceed the memory. */
async function* allAsJson(box: Mailbox): AsyncGenerator<string> {
  let before = '[';
  for await (const mail of box.all()) {
    yield before + JSON.stringify(presentMail(mail));
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function presentMail(mail: CaughtMail) {
  const addresses = (of: CaughtMail['to']) => of.map(({ address }) => address).join(', ');
  return {
    to: addresses(mail.to),
    from: mail.fromText,
    reply_to: addresses(mail.replyTo),
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

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}
