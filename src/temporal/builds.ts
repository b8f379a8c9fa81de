import { type Client, isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { taskQueues, WORKER_DEPLOYMENT } from '../contracts/ids.js';
import { promptly } from './client.js';
import { GRPC } from './outcomes.js';

/** The engine tells every queue of the change before it answers. */
const CHANGE_MS = 60_000;
const { WorkerDeploymentVersionStatus, TaskQueueType } = proto.temporal.api.enums.v1;

const STATES = {
  [WorkerDeploymentVersionStatus.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [WorkerDeploymentVersionStatus.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [WorkerDeploymentVersionStatus.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [WorkerDeploymentVersionStatus.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
} as const;

/** A build of the workers. `inactive`: it never took a run. */
export interface KnownBuild {
  build: string;
  state: (typeof STATES)[keyof typeof STATES] | 'inactive';
  /** When it was current last; null for never. */
  wasCurrentAt: number | null;
}

/** Which build takes new runs. A build of null is workers without one. */
export interface Builds {
  current: string | null;
  /** Takes that percentage of them instead; null where none does. */
  ramping: { build: string | null; percent: number } | null;
  /** Newest first. */
  known: KnownBuild[];
  /** Refuses a change of what has changed meanwhile. */
  token: Uint8Array;
}

/** Null while no worker with a build has ever asked for tasks. */
export async function findBuilds(client: Client): Promise<Builds | null> {
  const { namespace } = client.options;
  try {
    const { workerDeploymentInfo: info, conflictToken } = await promptly(client, () =>
      client.connection.workflowService.describeWorkerDeployment({
        namespace,
        deploymentName: WORKER_DEPLOYMENT,
      }),
    );
    const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
      info?.routingConfig ?? {};
    const percent = rampingVersionPercentage ?? 0;
    const build = rampingDeploymentVersion?.buildId ?? null;
    return {
      current: currentDeploymentVersion?.buildId ?? null,
      ramping: build === null && percent === 0 ? null : { build, percent },
      known: (info?.versionSummaries ?? []).map(knownOf),
      token: conflictToken,
    };
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === GRPC.notFound) return null;
    throw error;
  }
}

type Summary = proto.temporal.api.deployment.v1.WorkerDeploymentInfo.IWorkerDeploymentVersionSummary;

function knownOf({ deploymentVersion, status, lastCurrentTime }: Summary): KnownBuild {
  const states: Readonly<Record<number, KnownBuild['state']>> = STATES;
  return {
    build: deploymentVersion?.buildId ?? '',
    state: states[status ?? 0] ?? 'inactive',
    wasCurrentAt: lastCurrentTime == null ? null : Number(lastCurrentTime.seconds) * 1000,
  };
}

/** A change by the deployment's token. */
interface Change {
  build: string | null;
  token: Uint8Array;
  /** Whether queues that the current build serves may be missing. */
  ignoreMissingTaskQueues?: boolean;
}

/** New runs, and those that are not pinned, go to this build. Ends its ramp. */
export async function makeCurrent(client: Client, change: Change): Promise<void> {
  await changing(client, (service) => service.setWorkerDeploymentCurrentVersion(requestOf(client, change)));
}

/** A percentage of new runs, and of those that are not pinned, goes to this build; 0 of null ends a ramp. */
export async function makeRamping(client: Client, change: Change & { percent: number }): Promise<void> {
  const percentage = change.percent;
  await changing(client, (service) =>
    service.setWorkerDeploymentRampingVersion({ ...requestOf(client, change), percentage }),
  );
}

function requestOf({ options }: Client, { build, token, ignoreMissingTaskQueues = false }: Change) {
  return {
    namespace: options.namespace,
    deploymentName: WORKER_DEPLOYMENT,
    buildId: build ?? '',
    conflictToken: token,
    identity: options.identity,
    ignoreMissingTaskQueues,
  };
}

/** Forgets a build. The engine refuses one that runs need, or whose workers asked within the last minutes. */
export async function forgetBuild(client: Client, buildId: string): Promise<void> {
  const { namespace, identity } = client.options;
  const deploymentVersion = { deploymentName: WORKER_DEPLOYMENT, buildId };
  await changing(client, (service) =>
    service.deleteWorkerDeploymentVersion({ namespace, identity, deploymentVersion }),
  );
}

async function changing<R>(
  client: Client,
  change: (service: Client['connection']['workflowService']) => Promise<R>,
): Promise<R> {
  return await client.withDeadline(Date.now() + CHANGE_MS, () => change(client.connection.workflowService));
}

/** Open runs that end on this build. */
function pinnedTo(build: string): string {
  return (
    `TemporalWorkerDeploymentVersion="${WORKER_DEPLOYMENT}:${build}" AND ` +
    `TemporalWorkflowVersioningBehavior="Pinned" AND ExecutionStatus="Running"`
  );
}

/** How many there are, and the workflow id of one of them. */
export async function pinnedRuns(
  client: Client,
  build: string,
): Promise<{ runs: number; example: string | null }> {
  const query = pinnedTo(build);
  const { count } = await promptly(client, () => client.workflow.count(query));
  for await (const { workflowId } of client.workflow.list({ query, pageSize: 1 })) {
    return { runs: count, example: workflowId };
  }
  return { runs: count, example: null };
}

/** Has the open runs of a build follow the current one from now on, which has to replay them. Returns how many. */
export async function handOverPinned(client: Client, build: string): Promise<number> {
  const { namespace } = client.options;
  let handedOver = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query: pinnedTo(build) })) {
    await promptly(client, () =>
      client.connection.workflowService.updateWorkflowExecutionOptions({
        namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
        updateMask: { paths: ['versioning_override'] },
      }),
    );
    handedOver += 1;
  }
  return handedOver;
}

/** Workers of each build that asked for workflow tasks within the last minutes. */
export async function workersByBuild(client: Client): Promise<ReadonlyMap<string | null, number>> {
  const { namespace } = client.options;
  const { pollers } = await promptly(client, () =>
    client.connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueues.shipments },
      taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const seen = new Map<string | null, Set<string>>();
  for (const { identity, deploymentOptions } of pollers ?? []) {
    const buildId = deploymentOptions?.buildId;
    const build = buildId === undefined || buildId === '' ? null : buildId;
    seen.set(build, (seen.get(build) ?? new Set()).add(identity ?? ''));
  }
  return new Map([...seen].map(([build, identities]) => [build, identities.size]));
}
