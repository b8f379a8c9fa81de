import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { scheduleIds, taskQueues } from '../contracts/ids.js';
import type { PollCarrierInput } from '../contracts/shipments.js';

const CATCHUP_WINDOW = 60_000;
const HOUSEKEEPING_EVERY_SECONDS = 900;

/**
 * Creates the Schedules, or brings them up to date and leaves a paused one paused. Run from one deploy job.
 * A run's time-out lies below its interval, for a run that hangs would skip all that follow.
 */
export async function ensureSchedules(
  client: Client,
  args: { providers: readonly string[]; pollIntervalSeconds: number },
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
