import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** File in the sandboxes' folder: provider → URL for status changes. */
export const SANDBOX_WEBHOOKS = 'sandbox-webhooks.json';

/** URL for a provider's status changes; null when the file has none. */
export function webhookUrlOf(folder: string, provider: string): string | null {
  const file = join(folder, SANDBOX_WEBHOOKS);
  if (!existsSync(file)) return null;
  const urls: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const url: unknown = typeof urls === 'object' && urls !== null ? Reflect.get(urls, provider) : null;
  return typeof url === 'string' ? url : null;
}
