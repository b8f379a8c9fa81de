import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { shortDigest } from '../../lib/digest.js';
import { matchesEtag } from '../etag.js';

const compress = promisify(gzip);

/** A part of a page as it is sent. */
export interface Asset {
  type: string;
  body: Buffer;
  etag: string;
  encoding?: 'gzip';
}

/** A text or file with its tag. */
export function assetOf(type: string, content: string | Buffer): Asset {
  const body = Buffer.from(content);
  return { type, body, etag: `"${shortDigest(body)}"` };
}

/** A text, compressed, as every browser takes it. */
export async function compressed(type: string, content: string): Promise<Asset> {
  const { etag, body } = assetOf(type, content);
  return { type, body: await compress(body), etag: etag.replace(/"$/, '-gz"'), encoding: 'gzip' };
}

/** Sends what `load` gives; it is loaded once, when it is first asked for. */
export function sendAsset(load: () => Asset | Promise<Asset>, maxAgeSeconds = 300): RequestHandler {
  let loaded: Asset | Promise<Asset> | undefined;
  return async (req, res) => {
    loaded ??= load();
    const asset = await loaded;
    res.set({ ETag: asset.etag, 'Cache-Control': `public, max-age=${maxAgeSeconds}` });
    if (matchesEtag(req.headers['if-none-match'], asset.etag)) res.status(304).end();
    else end(res, asset);
  };
}

function end(res: Response, { type, body, encoding }: Asset): void {
  if (encoding !== undefined) res.set('Content-Encoding', encoding);
  res.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  res.end(body);
}
