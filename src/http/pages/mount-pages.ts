import type { Express } from 'express';
import type { MountDeps } from '../mount-deps.js';
import { mountDocs } from './docs/routes.js';
import { mountExportFiles } from './export-file.js';
import { mountLabels } from './labels.js';
import { trackingRouter } from './tracking/routes.js';

/** The pages for people: the public tracking page, labels, files of exports and the documentation. None needs credentials. */
export function mountPages(app: Express, deps: MountDeps): void {
  app.use('/track', trackingRouter(deps));
  mountLabels(app, deps);
  mountExportFiles(app, deps);
  mountDocs(app, deps);
}
