import type { IncomingMessage } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import { notFound, validationError } from '../../domain/errors.js';
import { type FieldErrors, problemAt } from '../../domain/problems/problem.js';
import { isRandomUuid } from '../../lib/ids.js';
import type { LabelHtml, LabelPdf } from '../../services/labels/label-documents.js';
import { htmlLabels, type LabelChoice, printedLabels, storedLabel } from '../../services/labels/labels.js';
import { matchesEtag } from '../etag.js';
import type { LoadGate } from '../load-gate.js';
import { callerAddress } from '../middleware/caller-address.js';
import { limitPages } from '../middleware/page-limit.js';
import { refuseMethod } from '../mount.js';
import type { MountedApp } from '../mounted-app.js';

const LABEL = '/shipping/label/:uuid';
const DOCUMENT = '/storage/document/:name';

/** An HTML label contains fonts, styles and images; it runs and fetches nothing. */
const HTML_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'font-src data:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
/** Browsers show a PDF with their own plug-in. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/**
 * `/shipping/label/<uuid>` and `/storage/document/<uuid>.pdf`: the addresses that label routes return. They need no
 * credentials; the uuid is random, and its holder may print.
 */
export function mountLabels(web: Express, app: MountedApp): void {
  // A warehouse opens many of them from one address.
  const often = { group: 'label', limit: app.config.rateLimitPerMinute };
  web.get(LABEL, limitPages(app, 'GET /shipping/label/{uuid}', often), showLabel(app));
  web.get(DOCUMENT, limitPages(app, 'GET /storage/document/{uuid}.pdf', often), showDocument(app));
  web.all([LABEL, DOCUMENT], refuseMethod(['GET', 'HEAD']));
}

function showLabel(app: MountedApp): RequestHandler<{ uuid: string }> {
  const waitFor = waitByAddress(app.load.gate);
  return async (req, res) => {
    const uuid = req.params.uuid.toLowerCase();
    if (!isRandomUuid(uuid)) throw notFound('label');
    const choice = choiceOf(req.query);
    if (req.query.output === 'html') {
      send(req, res, app.load, htmlFile(await waitFor(req, () => htmlLabels(app, uuid, choice))));
      return;
    }
    send(req, res, app.load, pdfFile(await waitFor(req, () => printedLabels(app, uuid, choice))));
  };
}

function showDocument(app: MountedApp): RequestHandler<{ name: string }> {
  const waitFor = waitByAddress(app.load.gate);
  return async (req, res) => {
    const uuid = req.params.name.toLowerCase().replace(/\.pdf$/, '');
    if (!isRandomUuid(uuid) || uuid === req.params.name.toLowerCase()) throw notFound('document');
    send(req, res, app.load, pdfFile(await waitFor(req, () => storedLabel(app, uuid))));
  };
}

type LabelRequest = IncomingMessage & Pick<Request, 'ip'>;

function waitByAddress(gate: LoadGate) {
  return <T>(req: LabelRequest, make: () => Promise<T>) =>
    gate.whileWaiting(req, `address:${callerAddress(req)}`, make);
}

/** Ignores empty parameters. @throws AppError `validation_failed` for an unknown position or direction */
function choiceOf(query: Record<string, unknown>): LabelChoice {
  const fields: FieldErrors = {};
  const choice: LabelChoice = {};
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const { position, enable_sort_by_warehouse: enable, sort_by_warehouse: direction } = given;
  if (position !== undefined) {
    if (typeof position === 'string' && /^[1-8]$/.test(position)) choice.position = Number(position);
    else fields.position = [problemAt('position', 'position')];
  }
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    fields.sort_by_warehouse = [problemAt('sort_by_warehouse', 'choice', { choices: 'asc, desc' })];
  }
  if (Object.keys(fields).length > 0) throw validationError(fields);
  if (enable === 'true' || enable === '1') choice.sort = direction === 'desc' ? 'desc' : 'asc';
  else if (enable !== undefined) choice.sort = null;
  else if (direction === 'asc' || direction === 'desc') choice.direction = direction;
  return choice;
}

interface LabelFile {
  type: string;
  /** Sent with 304 too: otherwise a browser would replace the cached ones. */
  headers: Record<string, string>;
  body: Buffer;
  etag: string;
}

function pdfFile({ name, body, etag }: LabelPdf): LabelFile {
  const headers = {
    'Content-Security-Policy': PDF_POLICY,
    'Content-Disposition': `inline; filename="${name}"`,
  };
  return { type: 'application/pdf', headers, body, etag: `"${etag}"` };
}

function htmlFile({ body, etag }: LabelHtml): LabelFile {
  const headers = { 'Content-Security-Policy': HTML_POLICY };
  return { type: 'text/html; charset=utf-8', headers, body, etag: `W/"${etag}"` };
}

function send(
  req: Pick<Request, 'headers' | 'ip'>,
  res: Response,
  { answers }: MountedApp['load'],
  { type, headers, body, etag }: LabelFile,
): void {
  const isKnown = matchesEtag(req.headers['if-none-match'], etag);
  if (!isKnown) answers.take(req, res, body.length);
  res.set({
    ...headers,
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex, nofollow',
  });
  if (isKnown) {
    res.status(304).end();
    return;
  }
  res.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  res.end(body);
}
