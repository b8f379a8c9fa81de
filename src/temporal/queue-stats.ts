import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { LIMITS } from '../lib/limits/values.js';

/** A task queue as the engine sees it. Tasks of cached runs, which go straight to their worker, are not in it. */
export interface QueueStats {
  queue: string;
  type: 'workflow' | 'activity';
  /** Tasks that no worker has taken, about. */
  backlog: number;
  /** How long the oldest of them waits, about. */
  oldestSeconds: number;
  /** Workers that asked for tasks within the last minutes. */
  pollers: number;
}

const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } = proto.temporal.api.enums.v1.TaskQueueType;
const TYPES = { workflow: TASK_QUEUE_TYPE_WORKFLOW, activity: TASK_QUEUE_TYPE_ACTIVITY };

/** Asks the engine about the queues. @throws errors for which `isEngineTrouble` holds */
export async function describeQueues(
  client: Client,
  queues: readonly Pick<QueueStats, 'queue' | 'type'>[],
): Promise<QueueStats[]> {
  return await client.withDeadline(Date.now() + LIMITS.operators.figuresMs, () =>
    Promise.all(queues.map((queue) => describe(client, queue))),
  );
}

async function describe(
  { connection, options: { namespace } }: Client,
  { queue, type }: Pick<QueueStats, 'queue' | 'type'>,
): Promise<QueueStats> {
  const { stats, pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: TYPES[type],
    reportStats: true,
  });
  const age = stats?.approximateBacklogAge;
  return {
    queue,
    type,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    oldestSeconds: Number(age?.seconds ?? 0) + (age?.nanos ?? 0) / 1e9,
    pollers: pollers?.length ?? 0,
  };
}
