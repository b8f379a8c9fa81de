import { once } from 'node:events';
import { createServer } from 'node:net';
import { ApplicationFailure } from '@temporalio/common';
import {
  DefaultLogger,
  type LogEntry,
  type MetricsExporterConfig,
  makeTelemetryFilterString,
  Runtime,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { EXPORT_FAILURES } from '../contracts/export-shipments.js';
import { LABEL_FAILURES } from '../contracts/render-labels.js';
import { loggableMessageOf } from '../lib/loggable-message.js';

/**
 * Sends log lines of the engine and of workflows to the process's log. With `isMeasured` it also shows the SDK's own
 * figures on a port of loopback, which it returns; else null. Call once, before any worker starts.
 */
export async function installEngineRuntime(log: Logger, isMeasured: boolean): Promise<number | null> {
  const write = (entry: LogEntry) => {
    if (OF_EACH_START.some((message) => entry.message.startsWith(message))) return;
    log[LEVELS[entry.level]]({ engine: pick(entry.meta) }, entry.message);
  };
  const port = isMeasured ? await freePort() : null;
  const logging = { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) };
  Runtime.install({
    logger: new DefaultLogger('INFO', write),
    telemetryOptions: { logging, ...(port === null ? {} : { metrics: metricsAt(port) }) },
    shutdownSignals: [],
  });
  return port;
}

/** With the names that Temporal's own dashboards use. */
function metricsAt(port: number): MetricsExporterConfig {
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { attachServiceName: false, prometheus: { bindAddress: `127.0.0.1:${port}`, ...names } };
}

/** The SDK does not tell which port it got for 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Logged for each queue whenever a process starts or stops, and true of all. */
const OF_EACH_START = ['No workflows registered', 'No Nexus services registered', 'Worker state changed'];

/** Levels of the engine and of our log. */
const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Logged fields and their names in the log. Others may hold personal data. */
const FIELDS = {
  workflowId: 'workflowId',
  runId: 'runId',
  workflowRunId: 'runId',
  workflowType: 'workflowType',
  activityType: 'activityType',
  taskQueue: 'taskQueue',
  attempt: 'attempt',
  requestId: 'requestId',
  shipment: 'shipment',
  orderNumber: 'orderNumber',
  shipmentId: 'shipmentId',
  accountId: 'accountId',
  licenseId: 'licenseId',
  provider: 'provider',
  outcome: 'outcome',
  seconds: 'seconds',
  reason: 'reason',
} as const;

function pick(meta: Record<string, unknown> | undefined): Record<string, unknown> {
  const source = meta ?? {};
  const picked: Record<string, unknown> = {};
  for (const [name, as] of Object.entries(FIELDS)) if (name in source) picked[as] = source[name];
  if (!('error' in source)) return picked;
  // For a run, the type is beside the error, which lost it.
  return { ...picked, reason: typeof source.failure === 'string' ? source.failure : reasonOf(source.error) };
}

/** Failures whose texts quote neither carriers nor callers. */
const OWN_WORDS: ReadonlySet<unknown> = new Set([
  'CarrierUnavailable',
  'CarrierOutcomeUnknown',
  'HostIsSlow',
  'AccountHasItsShare',
  'OperatorsNotTold',
  LABEL_FAILURES.noBrowser,
  EXPORT_FAILURES.mailNotSent,
  EXPORT_FAILURES.mailRefused,
]);

/** The kind of failure, with its text only if it is our own, and the kinds of what it wraps. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return 'unknown';
  const wrapped = causesOf(error);
  return `${kindOf(error)}${wrapped.length === 0 ? '' : ` (${wrapped.join(' < ')})`}`;
}

function kindOf(error: Error): string {
  if (error instanceof ApplicationFailure) {
    const type = error.type ?? 'unknown';
    return OWN_WORDS.has(type) ? `${type}: ${error.message}` : type;
  }
  const words = loggableMessageOf(error);
  return `${nameOf(error)}${words === null ? '' : `: ${words}`}`;
}

function nameOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}`;
}

/** A service chooses the name of its error. */
const NAME = /^[\w.: -]{1,80}$/;
const MOST_CAUSES = 4;

/** Names and codes of the errors that an error wraps, outermost first. Texts stay out: they may quote callers. */
function causesOf({ cause }: Error): string[] {
  const names: string[] = [];
  for (let at = cause; at instanceof Error && names.length < MOST_CAUSES; at = at.cause) {
    const name = at instanceof ApplicationFailure ? (at.type ?? at.name) : nameOf(at);
    if (NAME.test(name)) names.push(name);
  }
  return names;
}
