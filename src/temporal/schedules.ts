import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { scheduleIds, taskQueues } from '../contracts/ids.js';
import type { PollCarrierInput } from '../contracts/poll-carrier.js';
import type { RefreshPickupPointsInput } from '../contracts/refresh-pickup-points.js';

const CATCHUP_WINDOW = 60_000;
const HOUSEKEEPING_EVERY_SECONDS = 900;
const RESUME_BATCHES_EVERY_SECONDS = 60;
const WAKE_EVERY_SECONDS = 60;
const DAY = 86_400_000;
/** The daily lists are fetched at night, not all at the same minute. */
const POINTS_OFFSET = 3_600_000;
const POINTS_JITTER = 7_200_000;

/**
 * Creates the Schedules, or brings them up to date and leaves a paused one paused. Run from one deploy job.
 * A run's time-out lies below its interval, for a run that hangs would skip all that follow.
 */
export async function ensureSchedules(
  client: Client,
  args: {
    providers: readonly string[];
    pollIntervalSeconds: number;
    /** Carriers whose pickup points are copied. */
    pickupProviders?: readonly string[];
  },
): Promise<void> {
  for (const provider of args.providers) {
    const input: PollCarrierInput = { provider };
    await ensureSchedule(client, {
      ...every(scheduleIds.pollCarrier(provider), args.pollIntervalSeconds),
      action: {
        type: 'startWorkflow',
        workflowType: 'pollCarrier',
        args: [input],
        taskQueue: taskQueues.shipments,
        workflowExecutionTimeout: Math.max(1, args.pollIntervalSeconds - 5) * 1000,
        staticSummary: `Ask ${provider} for the statuses that are due`,
      },
    });
  }
  for (const provider of args.pickupProviders ?? []) await ensureSchedule(client, renewPoints(provider));
  await ensureSchedule(client, {
    ...every(scheduleIds.wakeDeliveries, WAKE_EVERY_SECONDS),
    action: {
      type: 'startWorkflow',
      workflowType: 'wakeDeliveries',
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: (WAKE_EVERY_SECONDS - 5) * 1000,
      staticSummary: 'Wake deliveries whose wake was lost',
    },
  });
  await ensureSchedule(client, {
    ...every(scheduleIds.housekeeping, HOUSEKEEPING_EVERY_SECONDS),
    action: {
      type: 'startWorkflow',
      workflowType: 'housekeeping',
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: (HOUSEKEEPING_EVERY_SECONDS - 60) * 1000,
      staticSummary: 'Sweep expired keys and reservations without a run',
    },
  });
  await ensureSchedule(client, {
    ...every(scheduleIds.resumeBatches, RESUME_BATCHES_EVERY_SECONDS),
    action: {
      type: 'startWorkflow',
      workflowType: 'resumeBatches',
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: (RESUME_BATCHES_EVERY_SECONDS - 5) * 1000,
      staticSummary: 'Start batches that have no run',
    },
  });
}

/** A day that was missed is caught up with: the copies would be two days old otherwise. */
function renewPoints(provider: string): ScheduleOptions {
  const input: RefreshPickupPointsInput = { provider, licenseId: null };
  return {
    scheduleId: scheduleIds.refreshPickupPoints(provider),
    spec: { intervals: [{ every: DAY, offset: POINTS_OFFSET }], jitter: POINTS_JITTER },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: DAY / 2 },
    action: {
      type: 'startWorkflow',
      workflowType: 'refreshPickupPoints',
      args: [input],
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: DAY / 2,
      staticSummary: `Renew the copies of ${provider}'s pickup points`,
    },
  };
}

function every(scheduleId: string, seconds: number) {
  return {
    scheduleId,
    spec: { intervals: [{ every: seconds * 1000 }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCHUP_WINDOW },
  } satisfies Partial<ScheduleOptions>;
}

async function ensureSchedule(client: Client, options: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, spec, action, policies } = options;
    await client.schedule.getHandle(scheduleId).update((previous) => ({
      ...previous,
      spec,
      action,
      policies: { ...previous.policies, ...policies },
    }));
  }
}
