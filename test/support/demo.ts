import { randomBytes } from 'node:crypto';
import { allCarriers } from '../../src/carriers/registry.js';
import { randomToken } from '../../src/lib/secrets.js';
import { newTotpSecret } from '../../src/services/panel/proofs.js';
import { type DemoData, seedDemo } from '../../tools/demo/data.js';
import type { DevSecrets } from '../../tools/launcher/state.js';
import { TEST_ACTOR } from './actor.js';
import type { TestStack } from './stack.js';

/** Secrets as in the first `npm start`. */
export function demoSecrets(appKey: Buffer): DevSecrets {
  const credentials = () => ({ clientId: randomToken('ci_', 12), clientSecret: randomToken('sk_') });
  return {
    appKey: appKey.toString('base64'),
    payloadKey: '',
    payloadClear: '',
    codecToken: '',
    first: credentials(),
    second: credentials(),
    third: credentials(),
    appSecret: randomToken('as_'),
    userToken: '',
    recipientToken: '',
    panel: { password: randomToken('demo-', 9), totpSecret: newTotpSecret() },
  };
}

/** Inserts the demo's accounts and licenses into a stack; its sandboxes post to the API at `baseUrl`. */
export async function seedStackDemo(
  stack: TestStack,
  baseUrl: string,
): Promise<{ secrets: DevSecrets; data: DemoData; sandboxes: Record<string, string> }> {
  const { db, config } = stack;
  const secrets = demoSecrets(randomBytes(32));
  const sandboxes = Object.fromEntries([...stack.sandboxes].map(([provider, { url }]) => [provider, url]));
  const data = await seedDemo({
    app: { db, config: { ...config, baseUrl }, adapters: allCarriers(), actor: TEST_ACTOR },
    secrets,
    sandboxes,
    callbackUrl: null,
  });
  return { secrets, data, sandboxes };
}
