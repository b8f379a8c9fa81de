import { measureProcess, metrics } from '../../src/lib/metrics.js';
import '../../src/services/operations/service-figures.js';

/** The figures of Temporal's SDK by kind, without prefix and suffix; from the source of its core. */
const SDK = {
  counter: `request long_request request_failure long_request_failure workflow_completed workflow_failed
    workflow_canceled workflow_continue_as_new workflow_task_queue_poll_succeed workflow_task_queue_poll_empty
    workflow_task_execution_failed activity_task_received activity_execution_failed activity_poll_no_task
    local_activity_total local_activity_execution_failed local_activity_execution_cancelled sticky_cache_hit
    sticky_cache_miss sticky_cache_total_forced_eviction worker_start`,
  gauge: 'num_pollers sticky_cache_size worker_task_slots_available worker_task_slots_used',
  histogram: `request_latency long_request_latency workflow_endtoend_latency workflow_task_schedule_to_start_latency
    workflow_task_execution_latency workflow_task_replay_latency activity_schedule_to_start_latency
    activity_execution_latency activity_succeed_endtoend_latency local_activity_execution_latency
    local_activity_succeed_endtoend_latency`,
};

measureProcess();

const PARTS = ['_bucket', '_sum', '_count'];
const namesOf = (text: string) => text.split(/\s+/).map((name) => `temporal_${name}`);

/** Every name that a scrape of the SDK can have. */
export const SDK_NAMES: ReadonlySet<string> = new Set([
  ...namesOf(SDK.counter).map((name) => `${name}_total`),
  ...namesOf(SDK.gauge),
  ...namesOf(SDK.histogram).flatMap((name) => PARTS.map((part) => `${name}_seconds${part}`)),
]);

/** Every name that a scrape of our processes can have, with the labels of ours; null where they are not ours. */
export async function metricNames(): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const own = metrics.getMetricsAsArray().flatMap((metric) => {
    const { name } = metric;
    const labels =
      'labelNames' in metric && name.startsWith('parcelworks_') ? (metric.labelNames as string[]) : null;
    const isHistogram = 'bucketValues' in metric;
    return isHistogram
      ? PARTS.map((part) => [`${name}${part}`, labels && [...labels, 'le']] as const)
      : [[name, labels] as const];
  });
  // Event loop and processor have several names for one figure.
  const all = (await metrics.getMetricsAsJSON()).filter(({ name }) => !name.startsWith('parcelworks_'));
  const ofProcess = all.map(({ name }) => [name, null] as const);
  return new Map([
    ...ofProcess,
    ...[...SDK_NAMES].map((name) => [name, null] as const),
    ['up', null],
    ...own,
  ]);
}
