import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** Larger mails are refused: a mail is held in memory until it is kept. */
const MOST_BYTES = 50 * 1024 * 1024;

/**
 * What the server does with a mail: `accept` keeps it; `refuse` answers 550 and `defer` 451 to the recipient;
 * `drop_before` cuts the connection in the middle of the text, so that the mail is not kept; `drop_after_accept` keeps
 * it and cuts the connection before the reply; `hang` takes the text and never answers.
 */
export const MAIL_MODES = ['accept', 'refuse', 'defer', 'drop_before', 'drop_after_accept', 'hang'] as const;

/** One of {@link MAIL_MODES}. */
export type MailMode = (typeof MAIL_MODES)[number];

/** A real SMTP server on the loopback interface, without authentication or TLS, that can be made to misbehave. */
export interface SmtpServer {
  port: number;
  /** Mails that were tried, kept or not: counted at the recipient. */
  attempts(): number;
  /** Sets what happens to the next mails: for ever, or `times` times and then `accept`. `to`: only to this address. */
  mode(next: MailMode, times?: number, to?: string): void;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** Where to listen (`port` 0: any free one), and who keeps a mail as it came before it is acknowledged. */
export interface SmtpOptions {
  port: number;
  onMail(source: Buffer): Promise<void>;
}

/** Starts listening. @throws Error when the port is taken. */
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
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Which mail meets which mode. */
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

/** Reads a mail to its end and hands it on; null where that worked, else what is answered. */
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
