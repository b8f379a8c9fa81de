import type { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import {
  createCarrierActivities,
  createShipmentRecordActivities,
  createUpkeepActivities,
} from '../../activities/index.js';
import type { CarrierAdapter } from '../carriers/contract.js';
import { adapterFinder } from '../carriers/registry.js';
import type { Config } from '../config/config.js';
import { taskQueues } from '../contracts/ids.js';
import type { Database } from '../db/database.js';
import { createdAnswer } from '../http/v2/shipments/presenter.js';
import { createCarrierAccounts } from '../services/carrier-accounts.js';
import { readStatuses } from '../services/status-readings.js';
import { dataConverterOf } from '../temporal/data-converter.js';
import { isWorkflowRunning } from '../temporal/starters.js';

const CREATED = 201;
const MAX_CACHED_WORKFLOWS = 1000;
/** A worker that died is noticed this soon by the workflows that it had in its cache. */
const STICKY_TIMEOUT_MS = 3000;

/** What a worker process is made of. `carriers`: the adapters whose queues it may serve. */
export interface WorkerParts {
  config: Config;
  db: Database;
  temporal: Client;
  connection: NativeConnection;
  carriers: readonly CarrierAdapter[];
  workflowBundlePath: string;
}

/** One worker for the workflows, and one for each carrier with that carrier's rate limit and concurrency. */
export async function createWorkers(parts: WorkerParts): Promise<Worker[]> {
  const { config, carriers } = parts;
  const wanted = (queue: string) => config.workerQueues === null || config.workerQueues.includes(queue);
  const options: WorkerOptions[] = carriers
    .filter((adapter) => wanted(taskQueues.carrier(adapter.provider)))
    .map((adapter) => carrierOptions(parts, adapter));
  if (wanted(taskQueues.shipments)) options.push(shipmentOptions(parts));
  return await Promise.all(options.map((one) => Worker.create(one)));
}

function shipmentOptions(parts: WorkerParts): WorkerOptions {
  const { db, temporal, carriers } = parts;
  return {
    ...commonOptions(parts),
    taskQueue: taskQueues.shipments,
    workflowBundle: { codePath: parts.workflowBundlePath },
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 },
    activities: {
      ...createShipmentRecordActivities({
        db,
        renderAnswer: (_api, shipment) => ({ status: CREATED, body: createdAnswer(shipment) }),
        hasStatus: (provider) =>
          carriers.some((one) => one.provider === provider && one.status !== undefined),
      }),
      ...createUpkeepActivities({ db, isRunning: (workflowId) => isWorkflowRunning(temporal, workflowId) }),
    },
  };
}

function carrierOptions(parts: WorkerParts, adapter: CarrierAdapter): WorkerOptions {
  const { db, config, carriers } = parts;
  const deps = { db, carriers: adapterFinder(carriers), accounts: createCarrierAccounts(db, config.appKey) };
  return {
    ...commonOptions(parts),
    taskQueue: taskQueues.carrier(adapter.provider),
    maxConcurrentActivityTaskExecutions: adapter.limits.concurrency,
    maxTaskQueueActivitiesPerSecond: adapter.limits.requestsPerSecond,
    activities: createCarrierActivities({ ...deps, readings: (request) => readStatuses(deps, request) }),
  };
}

function commonOptions({ config, connection }: WorkerParts) {
  return {
    connection,
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
    shutdownGraceTime: config.shutdownGraceMs,
    shutdownForceTime: config.shutdownGraceMs + 5000,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 },
  } satisfies Partial<WorkerOptions>;
}
