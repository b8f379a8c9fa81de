import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { projectFolder } from '../../launcher/paths.js';
import { listPage } from './list-page.js';
import { FRAME_SANDBOX, mailPage } from './mail-page.js';
import type { Mailbox, OpenedMail } from './mailbox.js';
import type { CaughtMail } from './parse.js';
import { MAIL_MODES, type SmtpServer } from './smtp.js';

/** For the mails themselves: nothing runs, nothing is loaded, links open beside the inbox. */
const MAIL_POLICY = `sandbox ${FRAME_SANDBOX}; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'`;
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const HEAD = /<head(?:\s[^>]*)?>/i;
/** They are not compiled, so they are read where they lie in the source. */
const ASSETS = join(projectFolder, 'tools/doubles/mail/assets');

/** What the inbox answers with. */
export interface Answer {
  status: number;
  type?: string;
  /** Pieces are made as they are sent. */
  body?: string | Buffer | AsyncIterable<string>;
  headers?: Record<string, string>;
}

/** What the inbox shows and steers. */
export interface Catcher {
  box: Mailbox;
  smtp: SmtpServer;
}

/** The answer to a request. @throws Error for a body that cannot be read */
export async function answer(request: IncomingMessage, { box, smtp }: Catcher): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://inbox');
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return page(await listPage(box, listRequest(searchParams)));
    case 'GET /catcher.css':
      return asset('catcher.css', 'text/css; charset=utf-8');
    case 'GET /catcher.js':
      return asset('catcher.js', 'text/javascript; charset=utf-8');
    case 'GET /health':
      return { status: 200, type: TEXT, body: 'ok\n' };
    case 'POST /clear':
      box.clear();
      return { status: 303, headers: { location: '/' } };
    case 'GET /api/mails':
      return { status: 200, type: 'application/json', body: allAsJson(box) };
    case 'DELETE /api/mails':
      box.clear();
      return { status: 204 };
    case 'POST /callbacks':
      // Where the demo's store site is told of activations.
      return { status: 204 };
    case 'POST /api/faults':
      return setFault(smtp, await readJson(request));
    default:
      return request.method === 'GET' ? await ofMail(box, pathname, searchParams) : { status: 404 };
  }
}

function listRequest(parameters: URLSearchParams) {
  const page = Number(parameters.get('page') ?? 1);
  return {
    query: parameters.get('q')?.trim() ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

async function ofMail(box: Mailbox, pathname: string, parameters: URLSearchParams): Promise<Answer> {
  const [, id, part] =
    /^\/mails\/(\d{1,9})(?:\/(html|mail\.eml|attachments\/\d{1,3}))?$/.exec(pathname) ?? [];
  const opened = id === undefined ? null : await box.open(Number(id));
  if (opened === null) return { status: 404, type: TEXT, body: 'There is no such mail.\n' };
  if (part === undefined)
    return page(mailPage(opened, { view: parameters.get('view'), width: parameters.get('width') }));
  if (part === 'html')
    return { ...page(framed(opened.mail.html)), headers: { 'content-security-policy': MAIL_POLICY } };
  return fileOf(opened, part);
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

/** Links open beside the inbox, not in the frame. What stands before a document type would make it one of the nineties. */
function framed(mailHtml: string): string {
  const base = '<base target="_blank">';
  if (!HEAD.test(mailHtml)) return `<!doctype html>${base}${mailHtml}`;
  return mailHtml.replace(HEAD, (head) => head + base);
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

/** One mail at a time: together they may be larger than what a program should hold. */
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

function page(body: string): Answer {
  return { status: 200, type: HTML, body };
}

function asset(name: string, type: string): Answer {
  return { status: 200, type, body: readFileSync(join(ASSETS, name)) };
}

function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}
