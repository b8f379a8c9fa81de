import { Mailbox } from './mailbox.js';
import { startSmtp } from './smtp.js';
import { startInbox } from './web.js';

/** Usage: `node main.js <SMTP port> <HTTP port> [folder]`. Runs until SIGINT or SIGTERM. */
const [smtpPort = '', httpPort = '', folder] = process.argv.slice(2);
if (!/^\d{1,5}$/.test(smtpPort) || !/^\d{1,5}$/.test(httpPort)) {
  process.stderr.write('usage: main.js <SMTP port> <HTTP port> [folder]\n');
  process.exit(2);
}

const box = Mailbox.open(folder ?? null);
const smtp = await startSmtp({ port: Number(smtpPort), onMail: (source) => box.add(source) });
const inbox = await startInbox(box, smtp, Number(httpPort));
process.stdout.write(`mail catcher: SMTP on port ${smtp.port}, inbox on ${inbox.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.all([smtp.close(), inbox.close()]));
}
