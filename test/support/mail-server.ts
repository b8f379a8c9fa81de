import { type ParsedMail, simpleParser } from 'mailparser';
import { type MailMode, startSmtp } from '../../tools/doubles/mail/smtp.js';

export type { MailMode } from '../../tools/doubles/mail/smtp.js';

/** An SMTP server for a test, without authentication or TLS. */
export interface MailServer {
  /** `smtp://127.0.0.1:<port>`. */
  url: string;
  /** Stored mails, oldest first. */
  mails: ParsedMail[];
  /** Attempted mails, counted at the recipient. */
  attempts(): number;
  /** Sets the mode of the next mails: permanently, or `times` times and then `accept`. */
  mode(next: MailMode, times?: number): void;
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
}

/** Starts the server on loopback; port 0 uses any free one. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: ParsedMail[] = [];
  const smtp = await startSmtp({
    port,
    async onMail(source) {
      mails.push(await simpleParser(source));
    },
  });
  return { ...smtp, url: `smtp://127.0.0.1:${smtp.port}`, mails };
}
