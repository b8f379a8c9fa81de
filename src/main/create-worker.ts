import { Worker } from '@temporalio/worker';
import { taskQueues } from '../contracts/ids.js';
import { carrierQueue } from './queues/carrier.js';
import type { Queue, WorkerParts } from './queues/queue.js';
import { shipmentsQueue } from './queues/shipments.js';

/** The workers of a process. */
export interface Workers {
  workers: Worker[];
  /** Ends what the activities held: browsers, connections. After the workers have stopped. */
  close(): Promise<void>;
}

/** One worker for each task queue that the process serves: `WORKER_QUEUES`, or all. */
export async function createWorkers(parts: WorkerParts): Promise<Workers> {
  const queues = queuesOf(parts);
  const workers = await Promise.all(queues.map((queue) => Worker.create(queue.options)));
  return {
    workers,
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close?.()));
    },
  };
}

function queuesOf(parts: WorkerParts): Queue[] {
  const wanted = ({ name }: { name: string }) =>
    parts.config.workerQueues === null || parts.config.workerQueues.includes(name);
  const factories = [
    ...parts.carriers.map((adapter) => ({
      name: taskQueues.carrier(adapter.provider),
      create: () => carrierQueue(parts, adapter),
    })),
    { name: taskQueues.shipments, create: () => shipmentsQueue(parts) },
  ];
  return factories.filter(wanted).map((factory) => factory.create());
}
