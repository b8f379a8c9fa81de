import { AdminError } from '../admin/commands.js';
import { ConfigError } from '../config/config.js';

/** Runs a process's main function; a failure becomes one line on standard error and exit code 1. */
export async function runProcess(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const expected = error instanceof ConfigError || error instanceof AdminError;
    const text = error instanceof Error ? (expected ? error.message : error.stack) : String(error);
    process.stderr.write(`${name}: ${text}\n`);
    process.exitCode = 1;
  }
}

/** Calls back on the first SIGTERM or SIGINT; a second one ends the process at once. */
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
