import type { Express, Request, RequestHandler, Response } from 'express';
import { Html, html } from '../../domain/html.js';
import { isRandomUuid } from '../../lib/ids.js';
import { openExportFile } from '../../services/exports/export-file.js';
import { callerAddress } from '../middleware/caller-address.js';
import { limitPages } from '../middleware/page-limit.js';
import { refuseMethod } from '../mount.js';
import type { MountedApp } from '../mounted-app.js';
import { sendFile } from './send-file.js';
import { sendPage } from './send-page.js';

const FILE = '/storage/export/:uuid/:filename';
const STYLE = `body { margin: 0; padding: 48px 16px; background: #f2f4f7; color: #16202e; font: 16px/1.55 sans-serif; }
main { max-width: 520px; margin: 0 auto; padding: 28px; background: #fff; border: 1px solid #e1e5eb; border-radius: 10px; }
h1 { margin: 0 0 12px; font-size: 22px; color: #0b3b66; }
p { margin: 0; }`;

const TEXTS = {
  en: {
    direction: 'ltr',
    ended: {
      title: 'This link has ended',
      text: 'The file of an export can be downloaded for 7 days and is then deleted. Ask for a new export.',
    },
    unknown: { title: 'There is no such file', text: 'Check that the link is the whole one of the mail.' },
  },
  he: {
    direction: 'rtl',
    ended: {
      title: 'תוקף הקישור פג',
      text: 'אפשר להוריד קובץ של ייצוא במשך 7 ימים, ואחריהם הוא נמחק. יש לבקש ייצוא חדש.',
    },
    unknown: { title: 'אין קובץ כזה', text: 'יש לבדוק שהקישור הוא הקישור המלא מההודעה.' },
  },
} as const;

/**
 * `/storage/export/<uuid>/<filename>`: the link to the file of an export that was too large for a mail. It needs no
 * credentials; the uuid is random and known to the receiver of the mail.
 */
export function mountExportFiles(web: Express, app: MountedApp): void {
  web.get(FILE, limitPages(app, 'GET /storage/export/{uuid}/{filename}'), showFile(app));
  web.all(FILE, refuseMethod(['GET', 'HEAD']));
}

function showFile(app: MountedApp): RequestHandler<{ uuid: string; filename: string }> {
  const { gate } = app.load;
  return async (req, res) => {
    const { uuid, filename } = req.params;
    const caller = `address:${callerAddress(req)}`;
    const open = () => openExportFile(app, { fileUuid: uuid, filename });
    const file = isRandomUuid(uuid) ? await gate.whileWaiting(req, caller, open) : null;
    if (file === null || file === 'ended') {
      sendTrouble(req, res, file === null ? 'unknown' : 'ended');
      return;
    }
    const { contentType, content } = file;
    const headers = {
      'Content-Length': String(file.sizeBytes),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    };
    try {
      const sent = { filename, contentType, content, headers };
      await gate.whileSending(req, caller, () => sendFile(req, res, sent));
    } finally {
      file.content.destroy();
    }
  };
}

function sendTrouble(
  req: Pick<Request, 'headers' | 'acceptsLanguages'>,
  res: Response,
  trouble: 'ended' | 'unknown',
): void {
  const language = req.acceptsLanguages('en', 'he') === 'he' ? 'he' : 'en';
  const { direction, [trouble]: words } = TEXTS[language];
  const body = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${words.title}</title><style>${new Html(STYLE)}</style></head>
<body><main><h1>${words.title}</h1><p>${words.text}</p></main></body>
</html>
`;
  const status = trouble === 'ended' ? 410 : 404;
  sendPage(req, res, { status, body, style: STYLE, language, imageOrigins: [], maxAgeSeconds: 0 });
}
