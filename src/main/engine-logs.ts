import { DefaultLogger, type LogEntry, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Sends the engine's and the workflows' log lines to the process's log. Once a process, before any worker. */
export function routeEngineLogs(log: Logger): void {
  const write = (entry: LogEntry) => {
    if (entry.message.startsWith(ACTIVITIES_ALONE)) return;
    const level = entry.level === 'TRACE' ? 'trace' : lower(entry.level);
    log[level]({ engine: pick(entry.meta) }, entry.message);
  };
  Runtime.install({
    logger: new DefaultLogger('INFO', write),
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) } },
    shutdownSignals: [],
  });
}

/** Said at every start of each queue that has no workflows by design. */
const ACTIVITIES_ALONE = 'No workflows registered';

function lower(level: LogEntry['level']): 'debug' | 'info' | 'warn' | 'error' {
  return level === 'DEBUG' ? 'debug' : level === 'INFO' ? 'info' : level === 'WARN' ? 'warn' : 'error';
}

/** Only these fields of an engine's line may be logged: payloads and failures could hold personal data. */
const ENGINE_FIELDS = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'taskQueue',
  'attempt',
] as const;

function pick(meta: Record<string, unknown> | undefined): Record<string, unknown> {
  const source = meta ?? {};
  return Object.fromEntries(ENGINE_FIELDS.flatMap((name) => (name in source ? [[name, source[name]]] : [])));
}
