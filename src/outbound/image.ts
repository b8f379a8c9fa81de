import { Client } from 'undici';
import { LIMITS } from '../lib/limits/values.js';
import { createAddressPolicy } from './addresses.js';
import { guardedConnector } from './guarded-client.js';
import { createResolver } from './resolver.js';

/** Fetches a small image from a public address that someone else chose; null when that fails. */
export function createImageFetcher(options: {
  allowedRanges: readonly string[];
  deniedRanges?: readonly string[];
}): (url: string) => Promise<Buffer | null> {
  const policy = createAddressPolicy(options.allowedRanges, options.deniedRanges);
  const connect = guardedConnector(policy, createResolver());
  return async (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      return null;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), LIMITS.labels.logoMs);
    // An oversized body ends the reading; a redirect counts as no image.
    const client = new Client(url.origin, {
      connect,
      maxResponseSize: LIMITS.labels.logoBytes,
      maxHeaderSize: LIMITS.webhooks.headerBytes,
    });
    try {
      const reply = await client.request({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': 'identity' },
        signal: controller.signal,
        reset: true,
      });
      if (reply.statusCode !== 200) return null;
      return Buffer.from(await reply.body.arrayBuffer());
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
      await client.destroy().catch(() => undefined);
    }
  };
}
