import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { scheduleIds, taskQueues } from '../contracts/ids.js';
import type { RefreshPickupPointsInput } from '../contracts/refresh-pickup-points.js';
import { type PollCarrierInput, SWEEP_SECONDS, type SweepInput } from '../contracts/sweep.js';
import { LIMITS } from '../lib/limits/values.js';
import { DAY_MS, HOUR_MS } from '../lib/time.js';

const LAST_ROUND_SECONDS = 600;

const MINUTELY = { everySeconds: 60 };

/**
 * Creates or updates the Schedules; paused ones stay paused. For one deploy job. Runs have short timeouts: a
 * hanging one makes the following ticks skip.
 */
export async function ensureSchedules(client: Client, wanted: WantedSchedules): Promise<void> {
  for (const schedule of schedulesOf(wanted)) await ensureSchedule(client, schedule);
}

/** Ids of the Schedules that the engine does not have. */
export async function listMissingSchedules(client: Client, wanted: WantedSchedules): Promise<string[]> {
  const missing: string[] = [];
  for (const { scheduleId } of schedulesOf(wanted)) {
    try {
      await client.schedule.getHandle(scheduleId).describe();
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
      missing.push(scheduleId);
    }
  }
  return missing;
}

interface WantedSchedules {
  providers: readonly string[];
  pollIntervalSeconds: number;
  /** Carriers whose pickup points are copied. */
  pickupProviders?: readonly string[];
}

function schedulesOf(wanted: WantedSchedules): ScheduleOptions[] {
  const { providers, pickupProviders = [], pollIntervalSeconds: everySeconds } = wanted;
  const { wakeDeliveries, tellOperators, resumeBatches } = scheduleIds;
  return [
    ...providers.map((provider) => polling({ provider, everySeconds })),
    ...pickupProviders.map(renewPoints),
    sweeping(wakeDeliveries, 'wakeDeliveries', MINUTELY, 'Wake deliveries whose wake was lost'),
    sweeping(tellOperators, 'tellOperators', MINUTELY, 'Tell operators what waits for a person'),
    HOUSEKEEPING,
    sweeping(resumeBatches, 'resumeBatches', MINUTELY, 'Start batches that have no run'),
  ];
}

function polling(input: Required<PollCarrierInput>): ScheduleOptions {
  const summary = `Ask ${input.provider} for the statuses that are due`;
  return sweeping(scheduleIds.pollCarrier(input.provider), 'pollCarrier', input, summary);
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
      workflowExecutionTimeout: (SWEEP_SECONDS + LAST_ROUND_SECONDS) * 1000,
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

const HOUSEKEEPING: ScheduleOptions = {
  ...every(scheduleIds.housekeeping, LIMITS.upkeep.housekeepingSeconds),
  action: {
    type: 'startWorkflow',
    workflowType: 'housekeeping',
    taskQueue: taskQueues.shipments,
    workflowExecutionTimeout: (LIMITS.upkeep.housekeepingSeconds - 60) * 1000,
    staticSummary: 'Sweep expired keys and reservations without a run',
  },
};

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
