import type { IncomingMessage } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';
import { type FieldErrors, notFound, validationError } from '../../domain/errors.js';
import { isRandomUuid } from '../../lib/ids.js';
import type { LabelChoice, LabelHtml, LabelPdf } from '../../services/label-services.js';
import { matchesEtag } from '../etag.js';
import type { LoadGate } from '../load-gate.js';
import { callerAddress } from '../middleware/caller-address.js';
import { limitPages } from '../middleware/page-limit.js';
import { refuseMethod } from '../mount.js';
import type { MountDeps } from '../mount-deps.js';

const LABEL = '/shipping/label/:uuid';
const DOCUMENT = '/storage/document/:name';

/** A label as HTML holds fonts, styles and images, runs nothing and fetches nothing. */
const HTML_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'font-src data:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');
/** Browsers show a PDF with a plug-in of their own. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";

/**
 * `/shipping/label/<uuid>` and `/storage/document/<uuid>.pdf`: the addresses that label routes give. They need no
 * credentials; the uuid is random, and whoever has it may print.
 */
export function mountLabels(app: Express, deps: MountDeps): void {
  // A warehouse opens them one after the other from one address.
  const often = { group: 'label', limit: deps.config.rateLimitPerMinute };
  app.get(LABEL, limitPages(deps, 'GET /shipping/label/{uuid}', often), showLabel(deps));
  app.get(DOCUMENT, limitPages(deps, 'GET /storage/document/{uuid}.pdf', often), showDocument(deps));
  app.all([LABEL, DOCUMENT], refuseMethod(['GET', 'HEAD']));
}

function showLabel({ services, load }: MountDeps): RequestHandler<{ uuid: string }> {
  const waitFor = waitByAddress(load.gate);
  return async (req, res) => {
    const uuid = req.params.uuid.toLowerCase();
    if (!isRandomUuid(uuid)) throw notFound('label');
    const choice = choiceOf(req.query);
    if (req.query.output === 'html') {
      sendHtml(req, res, await waitFor(req, () => services.labels.html(uuid, choice)));
      return;
    }
    sendPdf(req, res, await waitFor(req, () => services.labels.printed(uuid, choice)));
  };
}

function showDocument({ services, load }: MountDeps): RequestHandler<{ name: string }> {
  const waitFor = waitByAddress(load.gate);
  return async (req, res) => {
    const uuid = req.params.name.toLowerCase().replace(/\.pdf$/, '');
    if (!isRandomUuid(uuid) || uuid === req.params.name.toLowerCase()) throw notFound('document');
    sendPdf(req, res, await waitFor(req, () => services.labels.stored(uuid)));
  };
}

type LabelRequest = IncomingMessage & Pick<Request, 'ip'>;

function waitByAddress(gate: LoadGate) {
  return <T>(req: LabelRequest, make: () => Promise<T>) =>
    gate.whileWaiting(req, `address:${callerAddress(req)}`, make);
}

/** Empty parameters count as not given. @throws AppError `validation_failed` for a position or direction that there is not. */
function choiceOf(query: Record<string, unknown>): LabelChoice {
  const fields: FieldErrors = {};
  const choice: LabelChoice = {};
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const { position, enable_sort_by_warehouse: enable, sort_by_warehouse: direction } = given;
  if (position !== undefined) {
    if (typeof position === 'string' && /^[1-8]$/.test(position)) choice.position = Number(position);
    else fields.position = ['The position field must be a whole number from 1 to 8.'];
  }
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    fields.sort_by_warehouse = ['The sort_by_warehouse field must be one of: asc, desc.'];
  }
  if (Object.keys(fields).length > 0) throw validationError(fields);
  if (enable === 'true' || enable === '1') choice.sort = direction === 'desc' ? 'desc' : 'asc';
  else if (enable !== undefined) choice.sort = null;
  else if (direction === 'asc' || direction === 'desc') choice.direction = direction;
  return choice;
}

function sendPdf(req: Pick<Request, 'headers'>, res: Response, { name, body, etag }: LabelPdf): void {
  res.set({
    'Content-Security-Policy': PDF_POLICY,
    'Content-Disposition': `inline; filename="${name}"`,
  });
  send(req, res, { type: 'application/pdf', body, etag: `"${etag}"` });
}

function sendHtml(req: Pick<Request, 'headers'>, res: Response, { body, etag }: LabelHtml): void {
  res.set('Content-Security-Policy', HTML_POLICY);
  send(req, res, { type: 'text/html; charset=utf-8', body, etag: `W/"${etag}"` });
}

function send(
  req: Pick<Request, 'headers'>,
  res: Response,
  { type, body, etag }: { type: string; body: Buffer; etag: string },
): void {
  res.set({ ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex, nofollow' });
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.status(304).end();
    return;
  }
  res.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  res.end(body);
}
