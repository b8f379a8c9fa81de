import type { AppError } from '../domain/errors.js';
import { promptly } from '../temporal/client.js';
import { isEngineTrouble, type RunOutcome, waitForRun } from '../temporal/outcomes.js';
import type { App } from './app.js';

/**
 * `failures`: the error for each failure type, from the run's message. `late`: the error when the wait ends or
 * the engine is unavailable.
 */
interface RunWait {
  waitMs: number;
  failures: Readonly<Record<string, (message: string) => AppError>>;
  late(cause?: unknown): AppError;
}

/**
 * Starts or joins a run and returns its result; the run continues when the wait ends. @throws AppError one of
 * `failures`, or `late`
 */
export async function runWorkflow<R>(
  { temporal, stopping }: Pick<App, 'temporal' | 'stopping'>,
  start: () => Promise<{ result(): Promise<R> }>,
  { waitMs, failures, late }: RunWait,
): Promise<R> {
  let outcome: RunOutcome<R>;
  try {
    const handle = await promptly(temporal, start);
    outcome = await waitForRun(temporal, handle, { timeoutMs: waitMs, stopping });
  } catch (error) {
    throw isEngineTrouble(error) ? late(error) : error;
  }
  if (outcome.kind === 'completed') return outcome.result;
  const failure = outcome.kind === 'failed' ? failures[outcome.type] : undefined;
  if (outcome.kind === 'failed' && failure !== undefined) throw failure(outcome.message);
  throw late(outcome.kind === 'running' ? outcome.cause : undefined);
}
