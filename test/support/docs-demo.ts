import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TYPESCRIPT_CLIENT } from '../../tools/clients/build.js';
import { Mailbox } from '../../tools/doubles/mail/mailbox.js';
import { startSmtp } from '../../tools/doubles/mail/smtp.js';
import { startInbox } from '../../tools/doubles/mail/web.js';
import { distFolder, projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { Supervisor } from '../../tools/launcher/supervisor.js';
import type { Owner } from './clean-ups.js';
import { seedStackDemo } from './demo.js';
import { patient } from './patience.js';
import { startApiProcess, workerSpec } from './processes.js';
import { startStack } from './stack.js';

/** A reader's environment: a checkout with a running demo. */
export interface DocsDemo {
  /** Runs a bash script in it until the first failure; returns both outputs joined. */
  bash(script: string): Promise<{ code: number; output: string }>;
}

/** Starts the demo on the test's engines: sandboxes, mail catcher, API, and a supervised worker. */
export async function startDocsDemo(owner: Owner): Promise<DocsDemo> {
  const mail = await startMailCatcher(owner);
  const stack = await startStack({
    env: {
      SMTP_URL: mail.smtp,
      TEMPORAL_PAYLOAD_KEY: `demo:${randomBytes(32).toString('base64')}`,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      // A busy machine is slow after a kill.
      CREATE_WAIT_MS: '90000',
      // Long enough to see a retry, short enough for a test.
      WEBHOOK_RETRY_SECONDS: '5',
    },
  });
  owner.teardown(() => stack.close());
  const folder = checkout(owner);
  const api = await startApiProcess(owner, stack);
  const { secrets, sandboxes } = await seedStackDemo(stack, api.url);
  const demo = {
    base_url: api.url,
    client_id: secrets.first.clientId,
    client_secret: secrets.first.clientSecret,
    temporal_ui: 'http://127.0.0.1:8233',
    sandboxes,
    ...mail.addresses,
  };
  const supervisor = new Supervisor(() => writeDemo());
  const writeDemo = () => {
    const pids = supervisor.processes().map(({ name, pid }) => [name, pid]);
    const text = JSON.stringify({ ...demo, pids: { api: api.process.pid, ...Object.fromEntries(pids) } });
    // Atomic, because a command may be reading it.
    writeFileSync(join(folder, '.dev', 'next.json'), text);
    renameSync(join(folder, '.dev', 'next.json'), join(folder, '.dev', 'demo.json'));
  };
  owner.teardown(() => supervisor.stopAll());
  await supervisor.add(await workerSpec(owner, stack));
  const env = { ...stack.env, BASE_URL: api.url, npm_config_update_notifier: 'false' };
  return {
    bash: (script) =>
      run('bash', ['-c', `${HEAD}${script}`], { cwd: folder, env, timeoutMs: patient(240_000) }),
  };
}

/** Joins outputs, stops at the first failure, and leaves no process that keeps the output open. */
const HEAD = `exec 2>&1
set -eu -o pipefail
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
. docs/helpers.sh
`;

/** A folder with the parts of a checkout that the commands use. */
function checkout(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-docs-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.dev'));
  for (const part of ['docs', 'clients']) symlinkSync(join(projectFolder, part), join(folder, part));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(TYPESCRIPT_CLIENT, join(folder, 'node_modules/parcelworks'));
  const admin = `'${process.execPath}' '${join(distFolder, 'src/main/admin.js')}'`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { admin } }));
  return folder;
}

async function startMailCatcher(owner: Owner) {
  const box = Mailbox.open(null);
  const smtp = await startSmtp({ port: 0, onMail: (source) => box.add(source) });
  owner.teardown(() => smtp.close());
  const inbox = await startInbox(box, smtp, 0);
  owner.teardown(() => inbox.close());
  return {
    smtp: `smtp://127.0.0.1:${smtp.port}`,
    addresses: { mail_ui: inbox.url, mail_api: `${inbox.url}/api/mails` },
  };
}
