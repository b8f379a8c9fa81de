import type { Info } from '@temporalio/activity';
import { type ActivityInboundCallsInterceptor, Worker, type WorkerOptions } from '@temporalio/worker';
import {
  createBatchItemActivities,
  createBatchRecordActivities,
  createCarrierActivities,
  createCarrierLabelActivities,
  createCarrierPlaces,
  createDocumentActivities,
  createExportActivities,
  createInboundActivities,
  createNotificationActivities,
  createPointPlaces,
  createRetentionActivities,
  createShipmentRecordActivities,
  createUpkeepActivities,
  createWebhookActivities,
} from '../../activities/index.js';
import type { CarrierAdapter } from '../carriers/contract.js';
import { taskQueues } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import { PLACES } from '../documents/labels/html.js';
import { createLogos } from '../documents/labels/logo.js';
import { createLabelPress } from '../documents/labels/press.js';
import { labelCache } from '../documents/labels/print.js';
import { createLimit } from '../lib/limits/in-turns.js';
import type { QuietTime } from '../lib/quiet-time.js';
import { windowsByName } from '../lib/window.js';
import { EXPORTS_AT_ONCE, exportWriterAside } from '../services/export-aside.js';
import { dataConverterOf } from '../temporal/data-converter.js';
import { namingParcel } from './parcel-in-logs.js';
import { createWorkerApp, sayWhereBrowserIsMissing, type WorkerApp, type WorkerParts } from './worker-app.js';

/** One task queue as a worker serves it. `atOnce`: activities of it in this process, at most. */
interface Queue {
  name: string;
  atOnce?: number;
  activities(): object;
  options?: Partial<WorkerOptions>;
}

/** A creation that takes longer gives its place to others, and is looked at again later. */
const ITEM_WAIT_MS = 20_000;
/** Connections to the mail server, of which many allow one client only so many. */
const MAILS_AT_ONCE = 20;
/** Items of a chunk that are in memory, each of 1 MiB at most, while they wait for a place. */
const LANES = 8;
/**
 * Far below every time-out: a busy process must not count as dead, and a cancellation comes with the answer. The usual
 * is four fifths of the time-out, so that one heartbeat a second late would end a booking under way.
 */
const HEARTBEAT_MS = 1000;
const POLLERS = { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 } as const;

/** The workers of a process: one for each task queue that it serves, `WORKER_QUEUES` or all. */
export async function createWorkers(
  parts: WorkerParts,
): Promise<{ workers: Worker[]; close(): Promise<void> }> {
  const app = createWorkerApp(parts);
  const { workerQueues } = app.config;
  const served = queuesOf(app).filter(({ name }) => workerQueues === null || workerQueues.includes(name));
  const workers = await Promise.all(
    served.map(({ name, atOnce, activities, options }) =>
      Worker.create({
        ...commonOptions(app),
        taskQueue: name,
        ...(atOnce === undefined ? {} : { maxConcurrentActivityTaskExecutions: atOnce }),
        activities: activities(),
        ...options,
      }),
    ),
  );
  return { workers, close: app.close };
}

function queuesOf(app: WorkerApp): Queue[] {
  const { config } = app;
  return [
    ...app.adapters.map((adapter) => carrierQueue(app, adapter)),
    shipmentsQueue(app),
    {
      name: taskQueues.webhooks,
      // Subscriptions that are sent to at the same time; each has a round of its own.
      atOnce: 100,
      activities: () => createWebhookActivities(app),
    },
    {
      name: taskQueues.exports,
      // Each has a thread with a bounded heap, or the file of a mail in memory.
      atOnce: EXPORTS_AT_ONCE,
      activities: () => exportActivities(app),
    },
    {
      name: taskQueues.documents,
      // As many as the browser's pages have places.
      atOnce: config.browserPages * PLACES,
      activities: () => documentActivities(app),
    },
    {
      name: taskQueues.mail,
      // Licenses.
      atOnce: 20,
      activities: () => mailActivities(app),
    },
    {
      name: taskQueues.batches,
      // Chunks, two of a batch; what limits the work is the window of creations.
      atOnce: 10,
      activities: () => batchActivities(app),
    },
  ];
}

/** A carrier's queue, with that carrier's rate limit and concurrency. */
function carrierQueue(app: WorkerApp, { provider, limits }: CarrierAdapter): Queue {
  return {
    name: taskQueues.carrier(provider),
    atOnce: limits.concurrency,
    options: { maxTaskQueueActivitiesPerSecond: limits.requestsPerSecond },
    activities() {
      const placed = { ...app, placesOf: createCarrierPlaces(), pointPlacesOf: createPointPlaces() };
      return { ...createCarrierActivities(placed), ...createCarrierLabelActivities(placed) };
    },
  };
}

function exportActivities(app: WorkerApp) {
  const { databaseUrl, storage, baseUrl } = app.config;
  return createExportActivities({
    ...app,
    writeFile: exportWriterAside({ databaseUrl, storage, baseUrl }),
  });
}

/** The queue of all workflows and of their MySQL steps. */
function shipmentsQueue(app: WorkerApp): Queue {
  return {
    name: taskQueues.shipments,
    options: {
      workflowBundle: { codePath: app.workflowBundlePath },
      maxCachedWorkflows: 1000,
      // A worker that died is noticed this soon by the workflows that it had in its cache.
      stickyQueueScheduleToStartTimeout: 3000,
      workflowTaskPollerBehavior: POLLERS,
    },
    activities: () => ({
      ...createShipmentRecordActivities(app),
      ...createUpkeepActivities(app),
      ...createRetentionActivities(app),
      ...createInboundActivities(app),
    }),
  };
}

function documentActivities({ config, db, printer, storage, fetchImage }: WorkerApp) {
  sayWhereBrowserIsMissing(config);
  return createDocumentActivities({
    db,
    press: createLabelPress(printer, config.browserPages),
    cache: labelCache(storage),
    logos: createLogos(storage, fetchImage),
  });
}

function mailActivities({ config, db, recipientMailer }: WorkerApp) {
  return createNotificationActivities({
    ...config,
    db,
    mailer: recipientMailer,
    messageIdDomain: config.mailFrom.split('@').at(-1)?.replace(/>.*$/, '').trim() ?? 'localhost',
    limit: createLimit(MAILS_AT_ONCE),
  });
}

function batchActivities({ config, db, temporal, waitedFor }: WorkerApp) {
  // A process that serves some queues alone does not see who waits at the others.
  const isAlone = () => config.workerQueues === null && waitedFor.isQuiet;
  const createWaitMs = Math.min(config.createWaitMs, ITEM_WAIT_MS);
  return {
    ...createBatchItemActivities({
      db,
      temporal,
      config: { ...config, createWaitMs },
      window: windowsByName(config.batchWindow, isAlone),
      lanes: LANES,
    }),
    ...createBatchRecordActivities({ db, temporal }),
  };
}

/** The options that every worker has. */
function commonOptions({ config, connection, waitedFor }: WorkerApp) {
  return {
    connection,
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
    shutdownGraceTime: config.shutdownGraceMs,
    shutdownForceTime: config.shutdownGraceMs + 5000,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    activityTaskPollerBehavior: POLLERS,
    interceptors: { activity: [({ info }) => ({ inbound: notingWho(info, waitedFor) }), namingParcel] },
  } satisfies Partial<WorkerOptions>;
}

/** Activities have the priority of their run, which tells whether somebody waits for its end. */
function notingWho({ priority }: Info, waitedFor: QuietTime): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      if (priority?.priorityKey === PRIORITIES.interactive.priorityKey) waitedFor.note();
      return await next(input);
    },
  };
}
