import type { Express } from 'express';
import type { HttpApp } from '../api/http-app.js';
import { refuseMethod, sendJson } from './mount.js';

/**
 * `/health/live`: the process runs. `/health/ready`: MySQL and Temporal answer, else 503; it recovers by itself, but not
 * from `draining`: the process ends.
 * Neither needs credentials, and neither names a host, a user or a database.
 */
export function mountHealth(web: Express, app: HttpApp): void {
  web.get('/health/live', (_req, res) => {
    res.set('Cache-Control', 'no-store');
    sendJson(res, JSON.stringify({ status: 'ok' }));
  });
  web.get('/health/ready', async (_req, res) => {
    const engines = await app.readiness();
    const { mysql, temporal, reason = null, draining = false } = engines;
    const ready = mysql && temporal && !draining;
    const status = draining ? 'draining' : ready ? 'ok' : 'unavailable';
    res.status(ready ? 200 : 503).set('Cache-Control', 'no-store');
    if (!ready) res.set('Retry-After', '5');
    sendJson(
      res,
      JSON.stringify({
        status,
        mysql,
        temporal,
        ...(ready ? {} : { reason: draining ? 'The process ends.' : reason }),
      }),
    );
  });
  web.all(['/health/live', '/health/ready'], refuseMethod(['GET', 'HEAD']));
}
