import { type Logger, pino } from 'pino';

/** The process's log: one JSON line an event on standard output. */
export function createLogger(process: 'api' | 'worker' | 'migrate', level: string): Logger {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
