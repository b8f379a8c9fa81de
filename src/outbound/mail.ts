import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { withDeadline } from '../lib/in-time.js';
import { LIMITS } from '../lib/limits/values.js';

const SILENCE_MS = 30_000;

/** A mail's attachment. A `path` is streamed, so its size does not matter. */
interface MailAttachment {
  filename: string;
  contentType: string;
  content: Buffer | { path: string };
}

/** One mail to one recipient. */
export interface OutgoingMail {
  /** Bare address, such as `someone@example.com`. */
  to: string;
  /** Replaces the name in `MAIL_FROM`; the address stays. */
  fromName?: string;
  /** Bare address. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /**
   * Before the sender's domain, the same for every try of a mail: if the server's reply was lost, the receiver
   * recognizes the copy. Generated when omitted.
   */
  messageId?: string;
  /**
   * Where the receiver's mail program stops further ones, by a POST without the person's sight (RFC 8058). A GET shows a
   * page that asks.
   */
  unsubscribeUrl?: string;
  attachments?: readonly MailAttachment[];
}

/** Sends mails to a mail server. */
export interface Mailer {
  /** Resolves when the mail server has accepted the mail. @throws MailError */
  send(mail: OutgoingMail): Promise<void>;
  /** Aborts current mails and refuses further ones. */
  close(): void;
}

/** A mail that was not, or possibly not, accepted. The message holds no address and no text of the server. */
export class MailError extends Error {
  /**
   * `refused`: never accepted (an invalid address, or a 5xx for sender, recipient or message). `too_large`: refused for
   * its size (or a full mailbox, which has the same code). `unavailable`: not
   * accepted, may be retried. `unknown`: the connection ended before the server's answer, so the mail may have
   * been delivered.
   */
  readonly kind: 'refused' | 'too_large' | 'unavailable' | 'unknown';

  constructor(kind: MailError['kind'], message: string) {
    super(message);
    this.name = 'MailError';
    this.kind = kind;
  }

  /** Whether the same mail would be refused again. */
  get isFinal(): boolean {
    return this.kind === 'refused' || this.kind === 'too_large';
  }
}

interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; the query holds nodemailer's settings. */
  smtpUrl: string;
  /** `Name <address>` or a bare address. */
  from: string;
  /** Maximum silence of the server and maximum time to connect. Default 30 s. */
  silenceTimeoutMs?: number;
  /** Maximum time for a mail. Default 5 minutes. */
  totalTimeoutMs?: number;
}

/** Narrower than RFC 5322: no quoted local part, comment, list or second line. */
const ADDRESS = /^[^\s\p{C}()<>[\]:;@\\,"]+@[^\s\p{C}()<>[\]:;@\\,"]+$/u;

/** Whether {@link Mailer.send} accepts the address. */
function isMailAddress(text: string): boolean {
  return Buffer.byteLength(text) <= 254 && ADDRESS.test(text);
}

/**
 * A mailer for one server, with one connection per mail, so that mails do not affect each other. @throws Error
 * when `from` is not one address
 */
export function createMailer(options: MailerOptions): Mailer {
  const sender = parseSender(options.from);
  const silenceMs = options.silenceTimeoutMs ?? SILENCE_MS;
  const closing = new AbortController();
  return {
    send: async (mail) => {
      if (closing.signal.aborted) throw new MailError('unavailable', 'The mailer is closed.');
      const progress = { handedOver: false };
      const transport = createTransport({
        url: options.smtpUrl,
        connectionTimeout: silenceMs,
        greetingTimeout: silenceMs,
        socketTimeout: silenceMs,
        dnsTimeout: silenceMs,
      });
      transport.use('stream', ({ message }, done) => {
        const create = message.createReadStream.bind(message);
        message.createReadStream = (settings) => watchEnd(create(settings), progress);
        done();
      });
      const limitMs = options.totalTimeoutMs ?? LIMITS.mails.exportMs;
      try {
        await withDeadline(limitMs, closing.signal, (signal) =>
          transport.sendMail({ ...compose(mail, sender), signal }),
        );
      } catch (error) {
        throw error instanceof MailError ? error : mailErrorOf(error, progress.handedOver);
      } finally {
        transport.close();
      }
    },
    close: () => closing.abort(),
  };
}

function parseSender(from: string): { name: string; address: string } {
  const [sender, ...others] = addressparser(from, { flatten: true });
  if (sender?.address === undefined || others.length > 0 || !isMailAddress(sender.address)) {
    throw new Error('MAIL_FROM must be one address, as in: Parcelworks <no-reply@example.com>');
  }
  return { name: sender.name ?? '', address: sender.address };
}

/**
 * No person wrote the mail: responders leave it alone, which would otherwise write to the shop for each customer on
 * holiday. Exchange reads the second header.
 */
const NO_PERSON = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

function compose(mail: OutgoingMail, sender: { name: string; address: string }): SendMailOptions {
  const to = checkedAddress(mail.to);
  return {
    // Address objects are not parsed, so a name cannot add a recipient.
    from: { name: oneLine(mail.fromName ?? sender.name), address: sender.address },
    to: { name: '', address: to },
    envelope: { from: sender.address, to: [to] },
    ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: checkedAddress(mail.replyTo) } }),
    ...(mail.messageId === undefined ? {} : { messageId: messageIdOf(mail.messageId, sender.address) }),
    headers: { ...NO_PERSON, ...unsubscribing(mail) },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: (mail.attachments ?? []).map(({ filename, contentType, content }) => ({
      filename: oneLine(filename),
      contentType: oneLine(contentType),
      content: Buffer.isBuffer(content) ? content : lazyFile(content.path),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function unsubscribing({ unsubscribeUrl }: OutgoingMail): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Of the sender's domain: spam filters count one without a real domain against the mail. */
function messageIdOf(local: string, sender: string): string {
  return `<${checkedAddress(local + sender.slice(sender.lastIndexOf('@')))}>`;
}

function checkedAddress(text: string): string {
  if (!isMailAddress(text)) throw new MailError('refused', 'The mail has an invalid address.');
  return text;
}

/** Removes line breaks and control characters, which could end a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Opens the file on the first read: a mail that fails earlier opens nothing. */
function lazyFile(path: string): Readable {
  async function* read() {
    yield* createReadStream(path);
  }
  return Readable.from(read(), { objectMode: false });
}

/** Passes the bytes on and notes when the last was read: the server has then asked for the message. */
function watchEnd(source: Readable, progress: { handedOver: boolean }): Readable {
  async function* read() {
    yield* source;
    progress.handedOver = true;
  }
  return Readable.from(read(), { objectMode: false });
}

function mailErrorOf(error: unknown, handedOver: boolean): MailError {
  const { command, responseCode, code, response } = readError(error);
  if (responseCode === undefined) {
    if (handedOver)
      return new MailError('unknown', `The mail server received the mail but did not answer (${code}).`);
    if (code === 'EENVELOPE') return new MailError('refused', 'The mail has an invalid address.');
    const distrust = distrustOf(error);
    return new MailError(
      'unavailable',
      distrust === null
        ? `The mail server cannot be reached or ended the connection (${code}).`
        : `The mail server was not used: its certificate is not trusted (${distrust}).`,
    );
  }
  if (responseCode === 552 || TOO_LARGE.test(response)) {
    return new MailError('too_large', `The mail server refused the mail for its size (${responseCode}).`);
  }
  const isAboutMail = command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA';
  // 530 asks for authentication, which the operator can put right.
  const isPermanent = responseCode >= 500 && responseCode !== 530;
  return isAboutMail && isPermanent
    ? new MailError('refused', `The mail server refused the mail (${responseCode}).`)
    : new MailError('unavailable', `The mail server did not accept the mail (${responseCode}).`);
}

/** Codes of servers for a message that is too large for them, or for the mailbox. */
const TOO_LARGE = /^5\d\d[ -]5\.(?:3\.4|2\.3)\b/;

/** Faults of a certificate by the library's words, which may name hosts. */
const DISTRUST: readonly (readonly [RegExp, string])[] = [
  [/self[- ]signed certificate/i, 'self-signed'],
  [/certificate has expired/i, 'expired'],
  [/certificate's altnames/i, 'of another host'],
  [/certificate/i, 'of an unknown authority'],
];

function distrustOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return DISTRUST.find(([words]) => words.test(error.message))?.[1] ?? null;
}

function readError(error: unknown): {
  command?: string;
  responseCode?: number;
  code: string;
  response: string;
} {
  if (!(error instanceof Error)) return { code: 'error', response: '' };
  return {
    response: 'response' in error && typeof error.response === 'string' ? error.response : '',
    code: 'code' in error && typeof error.code === 'string' ? error.code : error.name,
    ...('command' in error && typeof error.command === 'string' ? { command: error.command } : {}),
    ...('responseCode' in error && typeof error.responseCode === 'number'
      ? { responseCode: error.responseCode }
      : {}),
  };
}
