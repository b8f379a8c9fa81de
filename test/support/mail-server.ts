import { type ParsedMail, simpleParser } from 'mailparser';
import { type MailMode, startSmtp } from '../../tools/doubles/mail/smtp.js';

export type { MailMode } from '../../tools/doubles/mail/smtp.js';

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

/** Starts an SMTP server on a free port of the loopback interface, or on the given one. */
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
