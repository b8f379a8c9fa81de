import { type Logger, pino } from 'pino';
import { presentRequestId } from '../lib/request-context.js';
import { presentTraceId } from '../lib/tracing.js';

/** A log of JSON lines on standard output; those that belong to a request have its id. */
export function createLogger(process: 'api' | 'worker' | 'migrate', level: string): Logger {
  return pino({
    level,
    base: { process },
    formatters: { level: (word) => ({ level: word }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin(line) {
      const [requestId, traceId] = [presentRequestId(), presentTraceId()];
      return {
        // Lines of the engine have it among its fields.
        ...(requestId !== undefined && !('engine' in line) && { requestId }),
        ...(traceId !== undefined && { traceId }),
      };
    },
  });
}
