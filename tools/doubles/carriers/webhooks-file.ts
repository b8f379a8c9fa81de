import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the file in the sandboxes' folder that holds provider → where it posts status changes. */
export const SANDBOX_WEBHOOKS = 'sandbox-webhooks.json';

/** Where a provider's sandbox posts status changes; null when the folder does not say. */
export function webhookUrlOf(folder: string, provider: string): string | null {
  const file = join(folder, SANDBOX_WEBHOOKS);
  if (!existsSync(file)) return null;
  const urls: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const url: unknown = typeof urls === 'object' && urls !== null ? Reflect.get(urls, provider) : null;
  return typeof url === 'string' ? url : null;
}
