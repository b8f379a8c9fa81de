import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { deliveryHeaders, newWebhookSecret } from '../../../src/outbound/webhook-signature.js';
import { aptInstall, canUseApt, which } from '../../../tools/launcher/run.js';

const run = promisify(execFile);
const SNIPPETS = fileURLToPath(new URL('../../../../src/http/pages/snippets/', import.meta.url));

/** One delivery as a receiver has it: body, signature header, secret. */
interface Case {
  body: string;
  header: string;
  secret: string;
}

function deliver(overrides: Partial<Case> & { ageSeconds?: number; secrets?: string[] } = {}): Case {
  const secret = overrides.secret ?? newWebhookSecret();
  const body =
    overrides.body ?? JSON.stringify({ event: 'ping', data: { text: 'שלום – naïve "quoted"\\n' } });
  const headers = deliveryHeaders({
    event: 'ping',
    eventId: 'e',
    deliveryId: 'd',
    body,
    timestampSeconds: Math.floor(Date.now() / 1000) - (overrides.ageSeconds ?? 0),
    secrets: overrides.secrets ?? [secret],
  });
  return { body, header: overrides.header ?? headers['x-service-signature'] ?? '', secret };
}

/** Cases that verify, and cases that must not. */
function cases(): { good: Case[]; bad: Case[] } {
  const both = newWebhookSecret();
  const valid = deliver();
  return {
    good: [
      valid,
      deliver({ secret: both, secrets: [newWebhookSecret(), both] }),
      deliver({ secret: both, secrets: [both, newWebhookSecret()] }),
    ],
    bad: [
      { ...valid, body: `${valid.body} ` },
      { ...valid, secret: newWebhookSecret() },
      deliver({ ageSeconds: 3600 }),
      deliver({ ageSeconds: -3600 }),
      { ...valid, header: '' },
      { ...valid, header: 't=,v1=' },
      { ...valid, header: valid.header.replace(/v1=.*/, 'v1=é') },
      { ...valid, header: valid.header.replace('v1=', 'v0=') },
      { ...valid, header: valid.header.slice(0, -2) },
    ],
  };
}

/** Programs that read a case as JSON from their first argument and print the event, or fail. */
const LANGUAGES: Readonly<Record<string, { packages: string[]; args: (input: string) => string[] }>> = {
  node: {
    packages: [],
    args: (input) => [
      '--input-type=module',
      '-e',
      `import { verifyWebhook } from ${JSON.stringify(`${SNIPPETS}verify.mjs`)};
       const { body, header, secret } = JSON.parse(process.argv[1]);
       console.log(JSON.stringify(verifyWebhook(Buffer.from(body), header, secret)));`,
      input,
    ],
  },
  php: {
    packages: ['php-cli'],
    args: (input) => [
      '-r',
      `require '${SNIPPETS}verify.php';
       $one = json_decode($argv[1], true);
       echo json_encode(verify_webhook($one['body'], $one['header'], $one['secret']));`,
      input,
    ],
  },
  python3: {
    packages: ['python3'],
    args: (input) => [
      '-c',
      `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '${SNIPPETS}')
from verify import verify_webhook
one = json.loads(sys.argv[1])
print(json.dumps(verify_webhook(one['body'].encode(), one['header'], one['secret'])))`,
      input,
    ],
  },
};

for (const [name, { packages, args }] of Object.entries(LANGUAGES)) {
  test(`the snippet for ${name} takes what is signed, and nothing else`, async (t) => {
    const command = name === 'node' ? process.execPath : await findOrInstall(name, packages);
    if (command === null) {
      t.is(process.env.CI, undefined, `${name} is needed in CI`);
      t.log(`skipped: ${name} is not there and cannot be installed`);
      t.pass();
      return;
    }
    const { good, bad } = cases();

    const taken = await Promise.all(good.map((one) => run(command, args(JSON.stringify(one)))));
    const refused = await Promise.allSettled(bad.map((one) => run(command, args(JSON.stringify(one)))));

    t.deepEqual(
      taken.map(({ stdout }) => JSON.parse(stdout)),
      good.map(({ body }) => JSON.parse(body)),
    );
    t.deepEqual(
      refused.flatMap(({ status }, index) => (status === 'rejected' ? [] : [bad[index]])),
      [],
    );
  });
}

async function findOrInstall(name: string, packages: string[]): Promise<string | null> {
  const found = which(name);
  if (found !== null) return found;
  return canUseApt() && (await aptInstall(packages)) ? which(name) : null;
}
