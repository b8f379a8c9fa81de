import { join } from 'node:path';
import type { ProcessSpec } from './child.js';
import { distFolder } from './paths.js';

/** `folder`: stores the caught mails. */
export interface MailCatcherOptions {
  readonly smtpPort: number;
  readonly httpPort: number;
  readonly folder: string;
  readonly logFile: string;
}

/** URLs of a mail catcher. */
export interface MailCatcherUrls {
  readonly smtp: string;
  /** The web inbox. */
  readonly ui: string;
  /** GET lists the mails, DELETE deletes them. */
  readonly api: string;
}

export function mailCatcherUrls({ smtpPort, httpPort }: MailCatcherOptions): MailCatcherUrls {
  const ui = `http://127.0.0.1:${httpPort}`;
  return { smtp: `smtp://127.0.0.1:${smtpPort}`, ui, api: `${ui}/api/mails` };
}

/** How to start the mail catcher. */
export function mailCatcherSpec(options: MailCatcherOptions): ProcessSpec {
  const { smtpPort, httpPort, folder, logFile } = options;
  const script = join(distFolder, 'tools/doubles/mail/main.js');
  return {
    name: 'mail-catcher',
    command: process.execPath,
    args: ['--enable-source-maps', script, String(smtpPort), String(httpPort), folder],
    logFile,
    healthy: async () => {
      const url = `${mailCatcherUrls(options).ui}/health`;
      return (await fetch(url, { signal: AbortSignal.timeout(3000) })).ok;
    },
    startTimeoutMs: 30_000,
    stopTimeoutMs: 5000,
  };
}
