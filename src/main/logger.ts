import { type Logger, pino } from 'pino';

/** A log of JSON lines on standard output. */
export function createLogger(process: 'api' | 'worker' | 'migrate', level: string): Logger {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
