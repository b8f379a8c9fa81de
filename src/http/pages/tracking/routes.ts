import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { HttpApp } from '../../../api/http-app.js';
import { listEvents } from '../../../db/queries/shipments/shipments.js';
import { findTrackedParcel } from '../../../db/queries/shipments/tracking.js';
import { type AppError, notFound } from '../../../domain/errors.js';
import type { Texts } from '../../../domain/recipient-words/words.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { sendPage, troubleHandler } from '../send-page.js';
import { canonicalCode } from './code.js';
import { chooseLanguage } from './language.js';
import { mailsRouter } from './mails-routes.js';
import { styleOf } from './style.js';
import { trackingPage, troublePage } from './template.js';
import { viewOf } from './view.js';

/**
 * `/track/{short code}`: the public page of a parcel, without credentials, scripts or personal data; below it the page that
 * stops its mails.
 */
export function trackingRouter(app: MountedApp): Router {
  const router = Router({ caseSensitive: true });
  router.get('/:code', limitPages(app, 'GET /track/{code}'), show(app));
  router.all('/:code', refuseMethod(['GET', 'HEAD']));
  router.use(mailsRouter(app));
  router.use(troubleHandler(app, showTrouble));
  return router;
}

function show(app: HttpApp): RequestHandler<{ code: string }> {
  return async (req, res) => {
    const code = canonicalCode(req.params.code);
    const parcel = code === null ? null : await findTrackedParcel(app.db, code);
    if (parcel === null) throw notFound('shipment');
    const view = viewOf(parcel, await listEvents(app.db, parcel.shipmentId), app.config.baseUrl);
    const language = chooseLanguage(req.query.lang, req.headers['accept-language'], parcel.merchant.locale);
    sendPage(req, res, {
      status: 200,
      body: trackingPage(view, language),
      style: styleOf(view.color),
      language,
      imageOrigins: view.logo?.startsWith('http') ? [new URL(view.logo).origin] : [],
      maxAgeSeconds: 60,
    });
  };
}

function showTrouble(req: Request, res: Response, error: AppError): void {
  const language = chooseLanguage(req.query.lang, req.headers['accept-language'], '');
  sendPage(req, res, {
    status: error.status,
    body: troublePage(troubleOf(error), language),
    style: styleOf(null),
    language,
    imageOrigins: [],
    maxAgeSeconds: 0,
  });
}

function troubleOf(error: AppError): keyof Texts['troubles'] {
  if (error.status === 429) return 'tooMany';
  return error.status >= 500 ? 'unavailable' : 'notFound';
}
