import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DocumentStorage } from '../storage.js';

const LOGO_KEPT_MS = 3_600_000;
const NO_LOGO_KEPT_MS = 60_000;

/** Merchants' logos as `data:` URIs, so that printing fetches nothing. */
export interface Logos {
  /** Null for an empty address or an unavailable logo: the label then shows the name. */
  of(url: string): Promise<string | null>;
}

/** Fetches an image, null when unavailable. Must reach only public addresses. */
type FetchImage = (url: string) => Promise<Buffer | null>;

type LogoStorage = Pick<DocumentStorage, 'read' | 'write'>;

/** Reads logos from the store; with `fetchImage` it fetches them, renews them hourly and stores them for outages. */
export function createLogos(storage: LogoStorage, fetchImage: FetchImage | null): Logos {
  const kept = new LRUCache<string, { uri: string | null }>({
    max: 500,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ uri }, url) => url.length + (uri?.length ?? 0),
    // A logo that had to make room is still returned.
    ignoreFetchAbort: true,
    async fetchMethod(url, _old, { options }) {
      const uri = uriOf(await load(storage, fetchImage, url));
      options.ttl = uri === null ? NO_LOGO_KEPT_MS : LOGO_KEPT_MS;
      return { uri };
    },
  });
  return {
    async of(url) {
      if (url === '') return null;
      if (imageType(dataOf(url)) !== null) return uriOf(dataOf(url));
      // Expired logos make room first.
      if (!kept.has(url)) kept.purgeStale();
      return (await kept.forceFetch(url)).uri;
    },
  };
}

async function load(
  storage: LogoStorage,
  fetchImage: FetchImage | null,
  url: string,
): Promise<Buffer | null> {
  const key = `logos/${createHash('sha256').update(url).digest('hex')}`;
  const fresh = fetchImage === null ? null : await fetchImage(url);
  if (fresh === null || imageType(fresh) === null) return await storage.read(key);
  await storage.write(key, fresh, imageType(fresh) ?? '');
  return fresh;
}

/** Bytes of a base64 `data:` URI; empty for any other address. */
function dataOf(url: string): Buffer {
  const match = /^data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)$/.exec(url);
  return Buffer.from(match?.[1] ?? '', 'base64');
}

function uriOf(bytes: Buffer | null): string | null {
  const type = bytes === null ? null : imageType(bytes);
  return bytes === null || type === null ? null : `data:${type};base64,${bytes.toString('base64')}`;
}

/** File signatures by type; `at` is their offset. */
const SIGNATURES: readonly { type: string; bytes: Buffer; at: number }[] = [
  { type: 'image/png', bytes: Buffer.from('89504e470d0a1a0a', 'hex'), at: 0 },
  { type: 'image/jpeg', bytes: Buffer.from('ffd8ff', 'hex'), at: 0 },
  { type: 'image/gif', bytes: Buffer.from('GIF8'), at: 0 },
  { type: 'image/webp', bytes: Buffer.from('WEBP'), at: 8 },
];

/** The type by the first bytes, whatever the server declared. No SVG: it can hold scripts. */
function imageType(bytes: Buffer): string | null {
  const found = SIGNATURES.find(({ bytes: begin, at }) =>
    bytes.subarray(at, at + begin.length).equals(begin),
  );
  return found?.type ?? null;
}
