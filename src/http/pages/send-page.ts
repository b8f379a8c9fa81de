import { createHash } from 'node:crypto';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { HttpApp } from '../../api/http-app.js';
import type { AppError } from '../../domain/errors.js';
import type { Html } from '../../domain/html.js';
import { matchesEtag, weakEtag } from '../etag.js';
import { noteFailure } from '../failure.js';

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
  /** Whether it sends forms, to this host alone. */
  hasForm?: boolean;
}

/** Sends a page without scripts under a policy that allows its own style and nothing else. */
export function sendPage(req: Pick<Request, 'headers'>, res: Response, page: Page): void {
  const text = page.body.text;
  res.status(page.status).set({
    'Content-Security-Policy': stylePolicy(page),
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

function stylePolicy({ style, imageOrigins, hasForm = false }: Page): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const images = `img-src ${["'self'", 'data:', ...imageOrigins].join(' ')}`;
  return policy([`style-src 'sha256-${hash}'`, images], hasForm ? "'self'" : "'none'");
}

/** The policy of a page that loads from these sources alone, sends no form and stands in no frame. */
export function policyOf(...sources: readonly string[]): string {
  return policy(sources, "'none'");
}

function policy(sources: readonly string[], formAction: string): string {
  return [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Answers what a page has thrown with what `show` sends; the headers of the error are set. */
export function troubleHandler(
  app: HttpApp,
  show: (req: Request, res: Response, error: AppError) => void,
): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const error = noteFailure(app, req, thrown);
    res.set(error.headers);
    show(req, res, error);
  };
}
