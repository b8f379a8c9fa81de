import { countOpenShipments, countOpenWork } from '../../db/queries/open-work.js';
import { countCreatedSince } from '../../db/queries/shipments/shipment-counts.js';
import { listFailingWebhooks } from '../../db/queries/webhooks/endpoints.js';
import type { App } from '../app.js';
import { queuesOf } from './service-figures.js';

/** Failing webhooks that the overview names. */
const NAMED = 20;

/**
 * The state of the whole service: open shipments by carrier, unfinished work, failing webhooks, shipments created since
 * a moment, and the task queues; null for these where Temporal does not answer.
 */
export async function serviceOverview(
  app: Pick<App, 'db' | 'temporal' | 'adapters'>,
  { since }: { since: string },
) {
  const providers = app.adapters.map(({ provider }) => provider);
  const [shipments, work, failing, created, queues] = await Promise.all([
    countOpenShipments(app.db),
    countOpenWork(app.db),
    listFailingWebhooks(app.db, NAMED),
    countCreatedSince(app.db, since),
    queuesOf({ ...app, providers }).catch(() => null),
  ]);
  return { shipments, work, failing, created, queues };
}
