import type { Info } from '@temporalio/activity';
import {
  type ActivityInboundCallsInterceptor,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import {
  createBatchItemActivities,
  createBatchRecordActivities,
  createCarrierActivities,
  createCarrierSlots,
  createDocumentActivities,
  createExportActivities,
  createInboundActivities,
  createNotificationActivities,
  createPointSlots,
  createRetentionActivities,
  createShipmentRecordActivities,
  createUpkeepActivities,
  createWebhookActivities,
} from '../../activities/index.js';
import type { CarrierAdapter } from '../carriers/contract.js';
import type { Config } from '../config/config.js';
import { taskQueues, WORKER_DEPLOYMENT } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import { PLACES } from '../documents/labels/html.js';
import { createLogos } from '../documents/labels/logo.js';
import { createLabelPress } from '../documents/labels/press.js';
import { labelCache } from '../documents/labels/stored.js';
import { StartError } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import { showCapacity } from '../lib/metrics.js';
import type { QuietTime } from '../lib/quiet-time.js';
import { windowsByName } from '../lib/window.js';
import { exportWriterAside } from '../services/exports/export-aside.js';
import { dataConverterOf } from '../temporal/data-converter.js';
import { inRequest } from './activity-context.js';
import { createWorkerApp, sayWhereBrowserIsMissing, type WorkerApp, type WorkerParts } from './worker-app.js';

const ITEM_WAIT_MS = 20_000;

/** A task queue of this worker. `atOnce`: maximum parallel activities. */
interface Queue {
  name: string;
  atOnce?: number;
  activities(): object;
  options?: Partial<WorkerOptions>;
}

const POLLERS = { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 } as const;

/** One worker for each task queue that `WORKER_QUEUES` means. @throws StartError for a name that is none */
export async function createWorkers(
  parts: WorkerParts,
): Promise<{ workers: Worker[]; close(): Promise<void> }> {
  const app = createWorkerApp(parts);
  const served = servedOf(queuesOf(app), app.config.workerQueues);
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

/** Those that are named, or all; and of them not those that are named with a `-`. */
function servedOf(queues: readonly Queue[], named: readonly string[]): readonly Queue[] {
  const unknown = named.find((name) => !queues.some((queue) => queue.name === name.replace(/^-/, '')));
  if (unknown !== undefined) {
    throw new StartError(
      `WORKER_QUEUES: ${unknown} is no queue. There are ${queues.map(({ name }) => name).join(', ')}.`,
    );
  }
  const only = named.filter((name) => !name.startsWith('-'));
  return queues.filter(
    ({ name }) => (only.length === 0 || only.includes(name)) && !named.includes(`-${name}`),
  );
}

function queuesOf(app: WorkerApp): Queue[] {
  const { config } = app;
  return [
    ...app.adapters.map((adapter) => carrierQueue(app, adapter)),
    shipmentsQueue(app),
    {
      name: taskQueues.webhooks,
      atOnce: 100,
      activities: () => createWebhookActivities(app),
    },
    {
      name: taskQueues.exports,
      // Each holds a thread with a bounded heap, or a mail's file in memory.
      atOnce: LIMITS.exports.atOnce,
      activities: () => exportActivities(app),
    },
    {
      name: taskQueues.documents,
      // One for each place of the browser's pages.
      atOnce: config.browserPages * PLACES,
      activities: () => documentActivities(app),
    },
    {
      name: taskQueues.mail,
      atOnce: 20,
      activities: () => mailActivities(app),
    },
    {
      name: taskQueues.batches,
      // The window of creations limits the work.
      atOnce: 10,
      activities: () => batchActivities(app),
    },
  ];
}

/** A carrier's queue with its rate limit and concurrency. */
function carrierQueue(app: WorkerApp, { provider, limits }: CarrierAdapter): Queue {
  return {
    name: taskQueues.carrier(provider),
    atOnce: limits.concurrency,
    options: { maxTaskQueueActivitiesPerSecond: limits.requestsPerSecond },
    activities: () =>
      createCarrierActivities({
        ...app,
        slotsFor: createCarrierSlots(),
        pointSlotsFor: createPointSlots(),
      }),
  };
}

function exportActivities(app: WorkerApp) {
  const { databaseUrl, storage, baseUrl } = app.config;
  return createExportActivities({
    ...app,
    writeFile: exportWriterAside({ databaseUrl, storage, baseUrl }),
  });
}

/** Whether workers of the queue run workflows beside activities. */
export function hasWorkflows(queue: string): boolean {
  return queue === taskQueues.shipments;
}

/** The queue of all workflows and their MySQL steps. */
function shipmentsQueue(app: WorkerApp): Queue {
  return {
    name: taskQueues.shipments,
    options: {
      workflowBundle: { codePath: app.workflowBundlePath },
      maxCachedWorkflows: 1000,
      // Workflows cached by a dead worker move on this soon.
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
  const slots = new Slots({ total: LIMITS.mails.atOnce });
  showCapacity('mails.atOnce', slots);
  return createNotificationActivities({
    ...config,
    db,
    mailer: recipientMailer,
    slots,
  });
}

function batchActivities({ waitedFor, ...app }: WorkerApp) {
  const { config } = app;
  // A process with some queues only does not see interactive work on the others.
  const isAlone = () => config.workerQueues === null && waitedFor.isQuiet;
  const createWaitMs = Math.min(config.createWaitMs, ITEM_WAIT_MS);
  return {
    ...createBatchItemActivities({
      ...app,
      config: { ...config, createWaitMs },
      window: windowsByName(config.batchWindow, isAlone),
      lanes: 8,
    }),
    ...createBatchRecordActivities(app),
  };
}

/** The run's task only fails with a line that names no reason. */
function sayRefused(workflowId: string, reason: string): void {
  Runtime.instance().logger.warn('input is refused', { workflowId, reason });
}

/** Options of every worker. */
function commonOptions({ config, connection, waitedFor }: WorkerApp) {
  return {
    connection,
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config, sayRefused),
    shutdownGraceTime: config.shutdownGraceMs,
    shutdownForceTime: config.shutdownGraceMs + 5000,
    ...versionOf(config),
    maxHeartbeatThrottleInterval: LIMITS.worker.heartbeatMs,
    activityTaskPollerBehavior: POLLERS,
    interceptors: {
      activity: [({ info }) => ({ inbound: notingWho(info, waitedFor) }), inRequest],
    },
  } satisfies Partial<WorkerOptions>;
}

/** Workflows that are to stay with their build say so themselves. */
function versionOf({ workerBuildId: buildId }: Pick<Config, 'workerBuildId'>): Partial<WorkerOptions> {
  if (buildId === null) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: WORKER_DEPLOYMENT, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** An activity has its run's priority, which marks interactive work. */
function notingWho({ priority }: Info, waitedFor: QuietTime): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      if (priority?.priorityKey === PRIORITIES.interactive.priorityKey) waitedFor.note();
      return await next(input);
    },
  };
}
