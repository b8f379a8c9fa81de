import { Client } from 'undici';
import { withDeadline } from '../lib/in-time.js';
import { LIMITS } from '../lib/limits/values.js';
import { type GuardOptions, guarded, webUrl } from './guarded-client.js';

const LOGO_MS = 5000;

/** Fetches a small image from a public address that someone else chose; null when that fails. */
export function createImageFetcher(options: GuardOptions): (url: string) => Promise<Buffer | null> {
  const { connect } = guarded(options);
  return async (text) => {
    const url = webUrl(text);
    if (typeof url === 'string') return null;
    // An oversized body ends the reading; a redirect counts as no image.
    const client = new Client(url.origin, {
      connect,
      maxResponseSize: LIMITS.labels.logoBytes,
      maxHeaderSize: LIMITS.webhooks.headerBytes,
    });
    try {
      return await withDeadline(LOGO_MS, undefined, async (signal) => {
        const reply = await client.request({
          method: 'GET',
          path: `${url.pathname}${url.search}`,
          headers: { accept: 'image/png, image/jpeg, image/webp, image/gif', 'accept-encoding': 'identity' },
          signal,
          reset: true,
        });
        return reply.statusCode === 200 ? Buffer.from(await reply.body.arrayBuffer()) : null;
      });
    } catch {
      return null;
    } finally {
      await client.destroy().catch(() => undefined);
    }
  };
}
