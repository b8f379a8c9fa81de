import { Runtime, Worker } from '@temporalio/worker';
import { taskQueues } from '../contracts/ids.js';
import { QuietTime } from '../lib/quiet-time.js';
import { createWakeSummaries } from '../services/wake-summaries.js';
import { createWaker } from '../temporal/wake.js';
import { batchesQueue } from './queues/batches.js';
import { carrierQueue } from './queues/carrier.js';
import { documentsQueue } from './queues/documents.js';
import { exportsQueue } from './queues/exports.js';
import { mailQueue } from './queues/mail.js';
import type { Queue, QueueParts, WorkerParts } from './queues/queue.js';
import { shipmentsQueue } from './queues/shipments.js';
import { webhooksQueue } from './queues/webhooks.js';

/** Who creates one shipment after another is still there after this long. */
const QUIET_AFTER_MS = 3000;

/** The workers of a process. */
export interface Workers {
  workers: Worker[];
  /** Ends what the activities held: browsers, connections. After the workers have stopped. */
  close(): Promise<void>;
}

/** One worker for each task queue that the process serves: `WORKER_QUEUES`, or all. */
export async function createWorkers(parts: WorkerParts): Promise<Workers> {
  const waker = createWaker(parts.temporal, {
    onTrouble: () => {
      Runtime.instance().logger.warn('wake trouble');
    },
    summaryOf: createWakeSummaries(parts.db),
  });
  const queues = queuesOf({ ...parts, wake: waker.wake, waitedFor: new QuietTime(QUIET_AFTER_MS) });
  const workers = await Promise.all(queues.map((queue) => Worker.create(queue.options)));
  return {
    workers,
    close: async () => {
      await Promise.all([waker.close(), ...queues.map((queue) => queue.close?.())]);
    },
  };
}

function queuesOf(parts: QueueParts): Queue[] {
  const wanted = ({ name }: { name: string }) =>
    parts.config.workerQueues === null || parts.config.workerQueues.includes(name);
  const factories = [
    ...parts.carriers.map((adapter) => ({
      name: taskQueues.carrier(adapter.provider),
      create: () => carrierQueue(parts, adapter),
    })),
    { name: taskQueues.shipments, create: () => shipmentsQueue(parts) },
    { name: taskQueues.webhooks, create: () => webhooksQueue(parts) },
    { name: taskQueues.exports, create: () => exportsQueue(parts) },
    { name: taskQueues.documents, create: () => documentsQueue(parts) },
    { name: taskQueues.mail, create: () => mailQueue(parts) },
    { name: taskQueues.batches, create: () => batchesQueue(parts) },
  ];
  return factories.filter(wanted).map((factory) => factory.create());
}
