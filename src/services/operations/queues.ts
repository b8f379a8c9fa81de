import { taskQueues } from '../../contracts/ids.js';
import { describeQueues, type QueueStats } from '../../temporal/queue-stats.js';
import type { App } from '../app.js';

/** All task queues as the engine sees them. @throws errors for which `isEngineTrouble` holds */
export async function queuesOf({
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
