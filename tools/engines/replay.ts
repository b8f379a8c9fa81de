import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type proto from '@temporalio/proto';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import type { PayloadEncryption } from '../../src/config/config.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { dataConverterOf } from '../../src/temporal/data-converter.js';
import { payloadsIn } from '../../src/temporal/key-uses.js';
import { EncryptingCodec, UnreadablePayload } from '../../src/temporal/payload-codec.js';
import { messageOf, SetupError } from '../launcher/progress.js';

type History = proto.temporal.api.history.v1.IHistory;
type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

/** A downloaded history. */
export interface Replayable {
  workflowType: string;
  workflowId: string;
  history: History;
}

/** Where the code makes other commands than the history has. `events`: ids and kinds; several, where it is one of them. */
export interface Difference {
  events: string;
  why: string;
}

/** Reads a history as the Temporal UI and CLI write it. @throws SetupError */
export function readHistory(text: string): Replayable {
  const history = parseHistory(text);
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  if (started == null) throw new SetupError('The file is no history from its first event on.');
  return {
    workflowType: started.workflowType?.name ?? 'unknown',
    workflowId: started.workflowId ?? 'unknown',
    history,
  };
}

function parseHistory(text: string): History {
  try {
    const parsed: unknown = JSON.parse(text);
    return historyFromJSON(Array.isArray(parsed) ? { events: parsed } : parsed);
  } catch (error) {
    throw new SetupError(`The file is no history as the Temporal UI and CLI write it: ${messageOf(error)}`);
  }
}

/**
 * Replays a history against the workflows of this checkout; null where they make the same commands. @throws
 * SetupError that names the key which is missing or another one
 */
export async function findDifference(
  run: Replayable,
  keys: PayloadEncryption['keys'],
): Promise<Difference | null> {
  const encryption: PayloadEncryption = { keys, clear: 'accept' };
  requireReadable(run.history, new EncryptingCodec(encryption));
  quiet();
  const payloadEncryption = keys.size === 0 ? null : encryption;
  const options = {
    workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption }) },
    dataConverter: dataConverterOf({ payloadEncryption }),
  };
  const differs = async (events: readonly HistoryEvent[]): Promise<string | null> => {
    try {
      await Worker.runReplayHistory(options, { events }, run.workflowId);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  };
  const all = run.history.events ?? [];
  const why = await differs(all);
  if (why === null) return null;
  return {
    events: named(await locate(all, differs), why)
      .map(nameOf)
      .join(', '),
    why: coreOf(why),
  };
}

/**
 * The events among which the history differs: those between the last beginning of a workflow task up to which it can
 * be replayed and the next. Replays about log2 of their number of parts.
 */
async function locate(
  all: readonly HistoryEvent[],
  differs: (events: readonly HistoryEvent[]) => Promise<string | null>,
): Promise<HistoryEvent[]> {
  const ends = all.flatMap((event, index) =>
    event.workflowTaskStartedEventAttributes == null ? [] : [index + 1],
  );
  let [good, bad] = [0, ends.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if ((await differs(all.slice(0, ends[middle] ?? all.length))) === null) good = middle;
    else bad = middle;
  }
  const between = all.slice(ends[good] ?? 0, ends[bad] ?? all.length);
  const made = between.filter(isMadeByWorkflow);
  return made.length > 0 ? made : between;
}

/** Those of the events that the reason names, by id or kind; all where it names none. */
function named(events: readonly HistoryEvent[], why: string): readonly HistoryEvent[] {
  const id = /HistoryEvent\(id: (\d+)/.exec(why)?.[1];
  const isActivity = /error: Activity /.test(why);
  const found = events.filter((event) =>
    id === undefined
      ? isActivity && event.activityTaskScheduledEventAttributes != null
      : String(event.eventId) === id,
  );
  return found.length > 0 ? found : events;
}

/** The sentence within the engine's debug output. */
function coreOf(why: string): string {
  return /message: "(?:\[TMPRL1100\] )?([^"]+)"/.exec(why)?.[1] ?? why;
}

/** Whether a command of the workflow's code made the event. */
function isMadeByWorkflow(event: HistoryEvent): boolean {
  return MADE.some((name) => event[name] != null);
}

const MADE = [
  'activityTaskScheduledEventAttributes',
  'activityTaskCancelRequestedEventAttributes',
  'timerStartedEventAttributes',
  'timerCanceledEventAttributes',
  'markerRecordedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'workflowPropertiesModifiedEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'signalExternalWorkflowExecutionInitiatedEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'workflowExecutionUpdateCompletedEventAttributes',
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const satisfies readonly (keyof HistoryEvent)[];

function nameOf(event: HistoryEvent): string {
  const attributes = Object.entries(event).find(
    ([name, value]) => name.endsWith('EventAttributes') && value != null,
  );
  return `${event.eventId} ${attributes?.[0].replace(/EventAttributes$/, '') ?? ''}`;
}

/** @throws SetupError */
function requireReadable(history: History, codec: EncryptingCodec): void {
  try {
    for (const payload of payloadsIn(history)) codec.reveal([payload]);
  } catch (error) {
    if (!(error instanceof UnreadablePayload)) throw error;
    throw new SetupError(`${error.message} Give it with --key id:base64.`);
  }
}

/** The engine's core logs what the difference says anyway. */
function quiet(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
      shutdownSignals: [],
    });
  } catch {
    // Installed before.
  }
}
