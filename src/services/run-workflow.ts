import type { AppError } from '../domain/errors.js';
import { promptly } from '../temporal/client.js';
import { isEngineTrouble, waitForRun } from '../temporal/outcomes.js';
import type { App } from './app.js';

/**
 * How a run is waited for. `failures`: by the type of the run's failure, what the caller gets, who reads the run's own words
 * where he may. `late`: when the wait is over, or the engine is away.
 */
export interface RunWait {
  waitMs: number;
  failures: Readonly<Record<string, (message: string) => AppError>>;
  late(cause?: unknown): AppError;
}

/**
 * Starts or joins a run and gives its result; the run goes on by itself when the wait is over.
 * @throws AppError one of `failures`, or `late`
 */
export async function runWorkflow<R>(
  { temporal, stopping }: Pick<App, 'temporal' | 'stopping'>,
  start: () => Promise<{ result(): Promise<R> }>,
  { waitMs, failures, late }: RunWait,
): Promise<R> {
  try {
    const handle = await promptly(temporal, start);
    const outcome = await waitForRun(temporal, handle, { timeoutMs: waitMs, stopping });
    if (outcome.kind === 'completed') return outcome.result;
    const failure = outcome.kind === 'failed' ? failures[outcome.type] : undefined;
    if (outcome.kind === 'failed' && failure !== undefined) throw failure(outcome.message);
  } catch (error) {
    throw isEngineTrouble(error) ? late(error) : error;
  }
  throw late();
}
