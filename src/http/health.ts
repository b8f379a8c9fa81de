import type { Express } from 'express';
import type { HttpApp } from '../api/http-app.js';
import { refuseMethod, send } from './mount.js';

/**
 * `/health/live`: the process runs. `/health/ready`: MySQL takes writes and Temporal answers, else 503. It recovers by
 * itself, except from `draining`: the process ends.
 * Neither needs credentials, and neither names a host, a user or a database.
 */
export function mountHealth(web: Express, app: HttpApp): void {
  web.get('/health/live', (_req, res) => send(res, { status: 200, json: { status: 'ok' } }));
  web.get('/health/ready', async (_req, res) => {
    const { mysql, temporal, reason = null, draining = false } = await app.readiness();
    const ready = mysql && temporal && !draining;
    const status = draining ? 'draining' : ready ? 'ok' : 'unavailable';
    const why = ready ? {} : { reason: draining ? 'The process ends.' : reason };
    send(res, {
      status: ready ? 200 : 503,
      headers: ready ? {} : { 'Retry-After': '5' },
      json: { status, mysql, temporal, ...why },
    });
  });
  web.all(['/health/live', '/health/ready'], refuseMethod(['GET', 'HEAD']));
}
