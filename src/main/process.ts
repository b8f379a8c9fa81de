import { setFlagsFromString } from 'node:v8';
import { ConfigError } from '../config/environment.js';
import { StartError } from '../domain/errors.js';

/**
 * Where the machine has memory for it, V8 lets a heap grow to four times what is alive before it collects. With this
 * percentage it collects about as early as in a container of 1 GB.
 */
const HEAP_GROWTH = '--heap-growing-percent=40';

/** Runs a process's main function. A failure prints one line on standard error and exits with 1. */
export async function runProcess(name: string, main: () => Promise<void>): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  try {
    await main();
  } catch (error) {
    failProcess(name, error);
  }
}

/** Ends the process with one line on standard error and exit code 1. */
export function failProcess(name: string, error: unknown): void {
  process.exitCode = 1;
  // Exits although something may still be open: an idle process is worse than none.
  process.stderr.write(`${name}: ${describe(error)}\n`, () => process.exit());
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE') {
    const others = 'API_METRICS_PORT and WORKER_METRICS_PORT those of their metrics';
    return `${error.message}. PORT is the API's port, WORKER_HEALTH_PORT the worker's, ${others}; all must differ.`;
  }
  return error.stack ?? error.message;
}

/**
 * Ends the process once everything is closed. Otherwise the Temporal client's scheduled retries would run on a
 * closed connection and throw.
 */
export function endProcess(): void {
  process.exit();
}

/** Calls `stop` on the first SIGTERM or SIGINT; a second one ends the process at once. */
export function onStopSignal(stop: () => void): void {
  let stopping = false;
  const handle = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop();
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
