import type { AddressInfo, Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/**
 * What the server does with a mail: `accept` keeps it; `refuse` answers 550 and `defer` 451 to the recipient;
 * `drop_before` cuts the connection in the middle of the text, so that the mail is not kept; `drop_after_accept` keeps
 * it and cuts the connection before the reply; `hang` takes the text and never answers.
 */
export type MailMode = 'accept' | 'refuse' | 'defer' | 'drop_before' | 'drop_after_accept' | 'hang';

/** A real SMTP server of a test's own, without authentication or TLS. */
export interface MailServer {
  /** `smtp://127.0.0.1:<port>`. */
  url: string;
  /** Mails kept, oldest first. */
  mails: ParsedMail[];
  /** Mails that were tried, kept or not: counted at the recipient. */
  attempts(): number;
  /** Sets what happens to the next mails: for ever, or `times` times and then `accept`. */
  mode(next: MailMode, times?: number): void;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts an SMTP server on a free port of the loopback interface. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const sockets = new Set<Socket>();
  const behaviour: { mode: MailMode; left: number } = { mode: 'accept', left: Number.POSITIVE_INFINITY };
  let attempts = 0;
  const take = (): MailMode => {
    attempts += 1;
    const { mode } = behaviour;
    behaviour.left -= 1;
    if (behaviour.left <= 0) Object.assign(behaviour, { mode: 'accept', left: Number.POSITIVE_INFINITY });
    return mode;
  };
  const modes = new Map<string, MailMode>();
  const cut = ({ remotePort }: SMTPServerSession) => {
    for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy();
  };

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, session, done) {
      const mode = take();
      modes.set(session.id, mode);
      if (mode === 'refuse') return done(replyOf(550, 'No such user here'));
      if (mode === 'defer') return done(replyOf(451, 'Try again later'));
      return done();
    },
    onData(stream, session, done) {
      const mode = modes.get(session.id);
      if (mode === 'drop_before') {
        stream.resume();
        return cut(session);
      }
      void keep(stream).then((mail) => {
        if (mode === 'hang') return;
        mails.push(mail);
        if (mode === 'drop_after_accept') cut(session);
        else done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${bound}`,
    mails,
    attempts: () => attempts,
    mode(next, times = Number.POSITIVE_INFINITY) {
      Object.assign(behaviour, { mode: next, left: times });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function keep(stream: SMTPServerDataStream): Promise<ParsedMail> {
  return simpleParser(stream);
}

function replyOf(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
