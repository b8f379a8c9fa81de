import { LRUCache } from 'lru-cache';
import { taskQueues, WORKER_DEPLOYMENT } from '../../contracts/ids.js';
import { countOpenShipments, countOpenWork } from '../../db/queries/open-work.js';
import { countCreatedSince } from '../../db/queries/shipments/shipment-counts.js';
import { listFailingWebhooks } from '../../db/queries/webhooks/endpoints.js';
import { inTime } from '../../lib/in-time.js';
import { LIMITS } from '../../lib/limits/values.js';
import { serviceGauge } from '../../lib/metrics.js';
import { findBuilds } from '../../temporal/builds.js';
import { describeQueues, type QueueStats } from '../../temporal/queue-stats.js';
import type { App } from '../app.js';

const figuresUp = serviceGauge(
  'figures_up',
  'Whether the figures of the whole service could be read from MySQL or Temporal; without them they are absent.',
  ['source'],
);
const shipmentsOpen = serviceGauge('shipments_open', 'Shipments that are not decided, by their state.', [
  'carrier',
  'state',
]);
const shipmentsOldest = serviceGauge(
  'shipments_open_oldest_seconds',
  'How long the oldest of them is in that state.',
  ['carrier', 'state'],
);
const workOpen = serviceGauge('work_open', 'What is not finished, by its kind.', ['kind']);
const workOldest = serviceGauge(
  'work_open_oldest_seconds',
  'How long the oldest is due, or for batches and exports, since it was asked for.',
  ['kind'],
);
const QUEUE = ['queue', 'type'] as const;
const queueBacklog = serviceGauge('task_queue_backlog', 'Tasks that no worker has taken, about.', QUEUE);
const queueOldest = serviceGauge('task_queue_oldest_seconds', 'How long the oldest of them waits.', QUEUE);
const queuePollers = serviceGauge('task_queue_pollers', 'Workers that serve the queue.', QUEUE);
const workerBuilds = serviceGauge('worker_builds', 'Builds of workers that Temporal keeps.', ['deployment']);

type FiguresApp = Pick<App, 'db' | 'temporal'> & { providers: readonly string[] };

/**
 * Reads the figures of the whole service into their gauges, at most every few seconds however often it is called.
 * Those of an engine that does not answer are removed. Never rejects.
 */
export function createServiceFigures(app: FiguresApp): () => Promise<void> {
  const sources = {
    mysql: () => readDatabase(app),
    temporal: () => readQueues(app),
  };
  const read = new LRUCache<keyof typeof sources, boolean>({
    max: 2,
    ttl: LIMITS.operators.figuresKeptMs,
    async fetchMethod(source) {
      try {
        await sources[source]();
        figuresUp.set({ source }, 1);
      } catch {
        for (const gauge of GAUGES[source]) gauge.reset();
        figuresUp.set({ source }, 0);
      }
      return true;
    },
  });
  return async () => {
    await Promise.all([read.fetch('mysql'), read.fetch('temporal')]);
  };
}

const GAUGES = {
  mysql: [shipmentsOpen, shipmentsOldest, workOpen, workOldest],
  temporal: [queueBacklog, queueOldest, queuePollers, workerBuilds],
};

async function readDatabase({ db, providers }: FiguresApp): Promise<void> {
  const asked = Promise.all([countOpenShipments(db), countOpenWork(db)]);
  const [shipments, work] = await inTime(LIMITS.operators.figuresMs, asked, () => new Error('MySQL is late'));
  for (const carrier of providers) {
    for (const state of ['pending', 'needs_attention']) {
      const found = shipments.find(({ provider, status }) => provider === carrier && status === state);
      shipmentsOpen.set({ carrier, state }, found?.count ?? 0);
      shipmentsOldest.set({ carrier, state }, found?.oldestSeconds ?? 0);
    }
  }
  const show = (kind: string, { count, oldestSeconds }: { count: number; oldestSeconds: number }) => {
    workOpen.set({ kind }, count);
    workOldest.set({ kind }, oldestSeconds);
  };
  show('webhook_deliveries', work.deliveries);
  show('failing_webhooks', work.failing);
  show('mails', work.mails);
  show('carrier_webhooks', work.carrierWebhooks);
  show('batches', work.batches);
  show('batch_items', work.items);
  show('exports', work.exports);
}

async function readQueues(app: FiguresApp): Promise<void> {
  for (const { queue, type, backlog, oldestSeconds, pollers } of await queuesOf(app)) {
    queueBacklog.set({ queue, type }, backlog);
    queueOldest.set({ queue, type }, oldestSeconds);
    queuePollers.set({ queue, type }, pollers);
  }
  // Temporal before 1.29.1 knows no builds.
  const builds = await findBuilds(app.temporal).catch(() => undefined);
  if (builds !== undefined) workerBuilds.set({ deployment: WORKER_DEPLOYMENT }, builds?.known.length ?? 0);
}

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

/** All task queues as the engine sees them. @throws errors for which `isEngineTrouble` holds */
async function queuesOf({
  temporal,
  providers,
}: Pick<App, 'temporal'> & { providers: readonly string[] }): Promise<QueueStats[]> {
  const { carrier, ...common } = taskQueues;
  const names = [...Object.values(common), ...providers.map(carrier)];
  const activities = names.map((queue) => ({ queue, type: 'activity' as const }));
  // The one queue of all workflows.
  const queues = [{ queue: taskQueues.shipments, type: 'workflow' as const }, ...activities];
  return await describeQueues(temporal, queues);
}
