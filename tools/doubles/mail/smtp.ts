import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** Larger mails are refused: each is held in memory until stored. */
const MOST_BYTES = 50 * 1024 * 1024;

/**
 * `accept` stores the mail; `too_large` answers 552 to the text; `refuse` answers 550 and `defer` 451 to the recipient; `drop_before` cuts the
 * connection during the text, without storing; `drop_after_accept` stores and cuts before the reply; `hang`
 * reads the text and never answers.
 */
export const MAIL_MODES = [
  'accept',
  'too_large',
  'refuse',
  'defer',
  'drop_before',
  'drop_after_accept',
  'hang',
] as const;

export type MailMode = (typeof MAIL_MODES)[number];

/** An SMTP server on loopback without authentication or TLS, with injectable faults. */
export interface SmtpServer {
  port: number;
  /** Attempted mails, counted at the recipient. */
  attempts(): number;
  /** Sets the mode of the next mails: permanently, or `times` times and then `accept`. `to`: only for this address. */
  mode(next: MailMode, times?: number, to?: string): void;
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
}

/** `port`: 0 uses any free one. Mails are stored before they are acknowledged. */
export interface SmtpOptions {
  port: number;
  onMail(source: Buffer): Promise<void>;
}

/** Starts listening. @throws Error when the port is taken */
export async function startSmtp(options: SmtpOptions): Promise<SmtpServer> {
  const behaviour = new Behaviour();
  const sockets = new Set<Socket>();
  const cut = ({ remotePort }: SMTPServerSession) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MOST_BYTES,
    closeTimeout: 100,
    onRcptTo({ address }, session, done) {
      const mode = behaviour.take(session.id, address);
      if (mode === 'refuse') return done(reply(550, 'No such user here'));
      if (mode === 'defer') return done(reply(451, 'Try again later'));
      return done();
    },
    onData(stream, session, done) {
      const mode = behaviour.modeOf(session.id);
      if (mode === 'drop_before') {
        stream.resume();
        return cut(session);
      }
      const settle = async () => {
        if (mode === 'too_large') {
          stream.resume();
          await once(stream, 'end');
          return done(reply(552, '5.3.4 Message size exceeds fixed limit'));
        }
        const refusal = await keep(stream, mode === 'hang' ? null : options.onMail);
        if (mode === 'drop_after_accept') return cut(session);
        if (mode !== 'hang') done(refusal);
      };
      void settle();
    },
    onClose: (session) => behaviour.forget(session.id),
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  server.on('error', () => undefined);
  const address = server.server.address();

  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    attempts: () => behaviour.attempts,
    mode: (next, times, to) => behaviour.set(next, times, to),
    async close() {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

function closed(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(resolve);
  });
}

/** Chooses the mode of each mail. */
class Behaviour {
  attempts = 0;
  readonly #ofSession = new Map<string, MailMode>();
  #mode: MailMode = 'accept';
  #left = Number.POSITIVE_INFINITY;
  #to: string | undefined;

  set(mode: MailMode, times = Number.POSITIVE_INFINITY, to?: string): void {
    this.#mode = mode;
    this.#left = times;
    this.#to = to;
  }

  take(session: string, address: string): MailMode {
    this.attempts += 1;
    if (this.#to !== undefined && this.#to !== address) return 'accept';
    const mode = this.#mode;
    this.#ofSession.set(session, mode);
    this.#left -= 1;
    if (this.#left <= 0) this.set('accept');
    return mode;
  }

  modeOf(session: string): MailMode {
    return this.#ofSession.get(session) ?? 'accept';
  }

  forget(session: string): void {
    this.#ofSession.delete(session);
  }
}

/** Reads and stores a mail; returns null, or the error to answer. */
async function keep(
  stream: SMTPServerDataStream,
  onMail: ((source: Buffer) => Promise<void>) | null,
): Promise<Error | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      if (stream.sizeExceeded) chunks.length = 0;
      else chunks.push(Buffer.from(chunk));
    }
    if (stream.sizeExceeded) return reply(552, 'The mail is too large');
    await onMail?.(Buffer.concat(chunks));
    return null;
  } catch {
    return reply(452, 'The mail could not be kept');
  }
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
