import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import '../support/engine-runtime.js';

const pollers = { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 } as const;
const connection = await NativeConnection.connect({ address: String(process.env.TEMPORAL_ADDRESS) });
const common = {
  connection,
  namespace: String(process.env.TEMPORAL_NAMESPACE),
  activities: { nothing: async (input: { n: number }) => input },
  activityTaskPollerBehavior: pollers,
};
const workers = await Promise.all([
  Worker.create({
    ...common,
    taskQueue: 'bare',
    workflowsPath: fileURLToPath(new URL('./bare-workflow.js', import.meta.url)),
    workflowTaskPollerBehavior: pollers,
  }),
  Worker.create({ ...common, taskQueue: 'bare-carrier' }),
]);
const health = createServer((_request, response) => response.end());
health.listen(Number(process.env.WORKER_HEALTH_PORT), '127.0.0.1');
await Promise.all(workers.map((worker) => worker.run()));
health.close();
await connection.close();
