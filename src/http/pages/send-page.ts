import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Html } from '../../domain/html.js';
import { matchesEtag, weakEtag } from '../etag.js';

/** A page to send. */
interface Page {
  status: number;
  body: Html;
  /** Text of its only `<style>` element. */
  style: string;
  language: string;
  /** Further origins of images. */
  imageOrigins: readonly string[];
  /** Seconds for public caching; 0: none. */
  maxAgeSeconds: number;
}

/** Sends a page without scripts under a policy that allows its own style and nothing else. */
export function sendPage(req: Pick<Request, 'headers'>, res: Response, page: Page): void {
  const text = page.body.text;
  res.status(page.status).set({
    'Content-Security-Policy': policyOf(page),
    'Content-Language': page.language,
    'X-Robots-Tag': 'noindex, nofollow',
    Vary: 'Accept-Language',
    'Cache-Control': page.maxAgeSeconds === 0 ? 'no-store' : `public, max-age=${page.maxAgeSeconds}`,
  });
  if (page.status === 200) {
    const etag = weakEtag(text);
    res.set('ETag', etag);
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.status(304).end();
      return;
    }
  }
  const body = Buffer.from(text, 'utf8');
  res.set({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(body.length) });
  res.end(body);
}

function policyOf({ style, imageOrigins }: Page): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `img-src ${["'self'", 'data:', ...imageOrigins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
