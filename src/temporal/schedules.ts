import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { scheduleIds, taskQueues } from '../contracts/ids.js';
import type { PollCarrierInput } from '../contracts/poll-carrier.js';
import type { RefreshPickupPointsInput } from '../contracts/refresh-pickup-points.js';
import { SWEEP_SECONDS, type SweepInput } from '../contracts/sweep.js';
import { LIMITS } from '../lib/limits/values.js';
import { DAY_MS, HOUR_MS } from '../lib/time.js';

const RESUMING = { everySeconds: 60 };
const WAKING = { everySeconds: 60 };
const TELLING = { everySeconds: 60 };

/**
 * Creates or updates the Schedules; paused ones stay paused. For one deploy job. Runs have short timeouts: a
 * hanging one makes the following ticks skip.
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
  const polling = { everySeconds: args.pollIntervalSeconds };
  for (const provider of args.providers) {
    const input = { provider, ...polling } satisfies PollCarrierInput;
    await ensureSchedule(
      client,
      sweeping(
        scheduleIds.pollCarrier(provider),
        'pollCarrier',
        input,
        `Ask ${provider} for the statuses that are due`,
      ),
    );
  }
  for (const provider of args.pickupProviders ?? []) await ensureSchedule(client, renewPoints(provider));
  await ensureSchedule(
    client,
    sweeping(scheduleIds.wakeDeliveries, 'wakeDeliveries', WAKING, 'Wake deliveries whose wake was lost'),
  );
  await ensureSchedule(
    client,
    sweeping(scheduleIds.tellOperators, 'tellOperators', TELLING, 'Tell operators what waits for a person'),
  );
  await ensureSchedule(client, {
    ...every(scheduleIds.housekeeping, LIMITS.upkeep.housekeepingSeconds),
    action: {
      type: 'startWorkflow',
      workflowType: 'housekeeping',
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: (LIMITS.upkeep.housekeepingSeconds - 60) * 1000,
      staticSummary: 'Sweep expired keys and reservations without a run',
    },
  });
  await ensureSchedule(
    client,
    sweeping(scheduleIds.resumeBatches, 'resumeBatches', RESUMING, 'Start batches that have no run'),
  );
}

/** One run sweeps for an hour and ticks are skipped meanwhile; the first tick after its end starts the next. */
function sweeping(
  scheduleId: string,
  workflowType: string,
  input: Required<SweepInput>,
  staticSummary: string,
): ScheduleOptions {
  return {
    ...every(scheduleId, input.everySeconds),
    action: {
      type: 'startWorkflow',
      workflowType,
      args: [input],
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: (SWEEP_SECONDS + LIMITS.upkeep.lastRoundSeconds) * 1000,
      staticSummary,
    },
  };
}

/** Catches up a missed day: copies would otherwise be two days old. */
function renewPoints(provider: string): ScheduleOptions {
  const input: RefreshPickupPointsInput = { provider, licenseId: null };
  return {
    scheduleId: scheduleIds.refreshPickupPoints(provider),
    // At night, at spread times.
    spec: { intervals: [{ every: DAY_MS, offset: HOUR_MS }], jitter: 2 * HOUR_MS },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: DAY_MS / 2 },
    action: {
      type: 'startWorkflow',
      workflowType: 'refreshPickupPoints',
      args: [input],
      taskQueue: taskQueues.shipments,
      workflowExecutionTimeout: DAY_MS / 2,
      staticSummary: `Renew the copies of ${provider}'s pickup points`,
    },
  };
}

function every(scheduleId: string, seconds: number) {
  return {
    scheduleId,
    spec: { intervals: [{ every: seconds * 1000 }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60_000 },
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
