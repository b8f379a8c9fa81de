import { type RequestHandler, Router } from 'express';
import { findAddressee } from '../../../db/queries/mails/mail-stops.js';
import { findTrackedParcel } from '../../../db/queries/shipments/tracking.js';
import { notFound } from '../../../domain/errors.js';
import { createStoppedMails } from '../../../services/mails/stopped-mails.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { sendPage } from '../send-page.js';
import { canonicalCode } from './code.js';
import { chooseLanguage } from './language.js';
import { mailsPage } from './mails-page.js';
import { styleOf } from './style.js';
import { viewOf } from './view.js';

/**
 * `/track/{short code}/mails`: who has the parcel's link stops the merchant's mails to its recipient. Link scanners and
 * previews only GET, which asks; the POST is the page's, or a mail program's own (RFC 8058), whose body says nothing more.
 */
export function mailsRouter(app: MountedApp): Router {
  const router = Router({ caseSensitive: true });
  const stopped = createStoppedMails(app);
  router.get('/:code/mails', limitPages(app, 'GET /track/{code}/mails'), answer(app, stopped));
  router.post('/:code/mails', limitPages(app, 'POST /track/{code}/mails'), answer(app, stopped));
  router.all('/:code/mails', refuseMethod(['GET', 'HEAD', 'POST']));
  return router;
}

function answer(
  app: MountedApp,
  stopped: ReturnType<typeof createStoppedMails>,
): RequestHandler<{ code: string }> {
  return async (req, res) => {
    const code = canonicalCode(req.params.code);
    const parcel = code === null ? null : await findTrackedParcel(app.db, code);
    const addressee = parcel === null ? null : await findAddressee(app.db, parcel.shortCode);
    if (parcel === null || addressee === null) throw notFound('shipment');
    if (req.method === 'POST') await stopped[req.query.again === '1' ? 'resume' : 'stop'](addressee);
    const { company, logo, color } = viewOf(parcel, [], app.config.baseUrl);
    const language = chooseLanguage(req.query.lang, req.headers['accept-language'], parcel.merchant.locale);
    const isStopped = await stopped.has(addressee);
    const parcelPath = `/track/${parcel.shortCode}`;
    sendPage(req, res, {
      status: 200,
      body: mailsPage({ company, logo, color }, { isStopped, parcelPath }, language),
      style: styleOf(color),
      language,
      imageOrigins: logo?.startsWith('http') ? [new URL(logo).origin] : [],
      maxAgeSeconds: 0,
      hasForm: true,
    });
  };
}
