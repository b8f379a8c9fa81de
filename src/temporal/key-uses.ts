import { type Client, isGrpcServiceError, type ScheduleSummary } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import { Slots } from '../lib/limits/slots.js';
import { GRPC } from './outcomes.js';
import { keyIdOf } from './payload-codec.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;
type Execution = { workflowId: string; runId?: string };

const RUNNING = proto.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;

/** Runs and Schedules that still need a payload key. `example`: id of such a run or Schedule. */
interface KeyUses {
  openRuns: number;
  schedules: number;
  example: string;
}

/** In place of a key id: a Schedule whose last run is gone, and with it the key of the result that the next one reads. */
export const UNKNOWN_KEY_ID = '(unknown)';

/**
 * Reads every open run and Schedule, with a few calls for each, and returns what uses which key: by its id,
 * `CLEAR_KEY_ID` for what is not encrypted, or {@link UNKNOWN_KEY_ID}. Decrypts nothing.
 */
export async function findKeyUses(client: Client): Promise<Map<string, KeyUses>> {
  const uses = new Map<string, KeyUses>();
  const note = (keys: ReadonlySet<string>, kind: 'openRuns' | 'schedules', example: string) => {
    for (const key of keys) {
      const known = uses.get(key) ?? { openRuns: 0, schedules: 0, example };
      uses.set(key, { ...known, [kind]: known[kind] + 1 });
    }
  };
  const slots = new Slots({ total: 8 });
  const reading: Promise<void>[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query: 'ExecutionStatus="Running"' })) {
    const run = { workflowId, runId };
    reading.push(slots.use(async () => note(await keysOfRun(client, run), 'openRuns', workflowId)));
  }
  for await (const schedule of client.schedule.list()) {
    const { scheduleId } = schedule;
    reading.push(
      slots.use(async () => note(await keysOfSchedule(client, schedule), 'schedules', scheduleId)),
    );
  }
  await Promise.all(reading);
  return uses;
}

/** Empty for a run that has ended, whatever the list of runs says. */
async function keysOfRun(client: Client, execution: Execution): Promise<Set<string>> {
  const keys = new Set<string>();
  try {
    const { namespace } = client.options;
    const described = await client.connection.workflowService.describeWorkflowExecution({
      namespace,
      execution,
    });
    // A list that was restored, or that refused a value, has ended runs as open for ever.
    if (described.workflowExecutionInfo?.status !== RUNNING) return keys;
    // Heartbeats of activities are not in the history.
    collectKeys(described.pendingActivities, keys);
    for await (const event of eventsOf(client, execution)) collectKeys(event, keys);
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== GRPC.notFound) throw error;
  }
  return keys;
}

/** The next run gets the Schedule's input, and the result and the failure of the runs before. */
async function keysOfSchedule(client: Client, { scheduleId }: ScheduleSummary): Promise<Set<string>> {
  const { namespace } = client.options;
  const { schedule, info } = await client.connection.workflowService.describeSchedule({
    namespace,
    scheduleId,
  });
  const keys = new Set<string>();
  collectKeys(schedule?.action, keys);
  const query = `TemporalScheduledById="${scheduleId}"`;
  for await (const { workflowId, runId, status } of client.workflow.list({ query, pageSize: 1 })) {
    // An open one is read with the other open runs.
    if (status.name === 'RUNNING') return keys;
    const handedOn = status.name === 'COMPLETED' ? resultOf : leftoversOf;
    for await (const event of eventsOf(client, { workflowId, runId })) collectKeys(handedOn(event), keys);
    return keys;
  }
  return Number(info?.actionCount ?? 0) > 0 ? keys.add(UNKNOWN_KEY_ID) : keys;
}

/** The result that a completed run hands on to the next one. */
function resultOf({ workflowExecutionCompletedEventAttributes: completed }: HistoryEvent): unknown {
  return completed?.result;
}

/** The values that any other run hands on: its failure, and the result that it got itself. */
function leftoversOf(event: HistoryEvent): unknown {
  const started = event.workflowExecutionStartedEventAttributes;
  return [event.workflowExecutionFailedEventAttributes, started?.lastCompletionResult];
}

async function* eventsOf(client: Client, execution: Execution): AsyncGenerator<HistoryEvent> {
  const { namespace } = client.options;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution,
      nextPageToken,
    });
    yield* page.history?.events ?? [];
    nextPageToken = page.nextPageToken ?? new Uint8Array();
  } while (nextPageToken.length > 0);
}

/** Never encrypted: search attributes and headers, and the engine's own notes in markers. */
const ALWAYS_CLEAR: ReadonlySet<string> = new Set(['searchAttributes', 'header', 'data']);

function collectKeys(value: unknown, keys: Set<string>): void {
  for (const payload of payloadsIn(value)) keys.add(keyIdOf(payload));
}

/** The payloads in what the engine returned, such as a history, but for those that are always in clear. */
export function* payloadsIn(value: unknown): Generator<Payload> {
  if (isPayload(value)) yield value;
  else if (Array.isArray(value)) for (const one of value) yield* payloadsIn(one);
  else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    for (const [name, inner] of Object.entries(value)) if (!ALWAYS_CLEAR.has(name)) yield* payloadsIn(inner);
  }
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false;
  const { metadata } = value;
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    'encoding' in metadata &&
    metadata.encoding instanceof Uint8Array
  );
}
