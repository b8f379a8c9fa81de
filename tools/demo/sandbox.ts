import { jsonOf, valueAt } from '../../src/lib/json.js';
import { SANDBOX_WEBHOOKS } from '../doubles/carriers/webhooks-file.js';
import { SetupError } from '../launcher/progress.js';
import { writeDevJson } from '../launcher/state.js';

/** Sends a control request to a sandbox. @throws SetupError with its answer when it refuses */
export async function controlSandbox(url: string, control: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/__${control}`, { method: 'POST', body: JSON.stringify(body) });
  const json = jsonOf(Buffer.from(await response.arrayBuffer()));
  if (response.ok) return json;
  throw new SetupError(`${control} of the sandbox was answered: ${JSON.stringify(valueAt(json, 'error'))}`);
}

/** Sets the URLs for status changes in running sandboxes, and in the file that they read at a restart. */
export async function tellSandboxes(
  sandboxes: Readonly<Record<string, string>>,
  webhooks: Readonly<Record<string, string>>,
): Promise<void> {
  writeDevJson(SANDBOX_WEBHOOKS, webhooks);
  for (const [provider, url] of Object.entries(webhooks)) {
    await controlSandbox(sandboxes[provider] ?? '', 'config', { webhook_url: url });
  }
}
