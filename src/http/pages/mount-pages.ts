import type { Express } from 'express';
import type { MountedApp } from '../mounted-app.js';
import { mountDocs } from './docs/routes.js';
import { mountExportFiles } from './export-file.js';
import { mountLabels } from './labels.js';
import { panelRouter, panelTrouble } from './panel/mount-panel.js';
import { storeFrameRouter } from './store-frame/routes.js';
import { trackingRouter } from './tracking/routes.js';

/**
 * The public pages: tracking, labels, export files and the documentation; the panel, which has its own sign-in, and the
 * frame of stores, which is made of its parts.
 */
export function mountPages(web: Express, app: MountedApp): void {
  web.use('/track', trackingRouter(app));
  if (app.config.panel) {
    web.use('/panel', panelRouter(app), panelTrouble(app));
    web.use('/wp/app', storeFrameRouter(app));
  }
  mountLabels(web, app);
  mountExportFiles(web, app);
  mountDocs(web, app);
}
