import { type Client, ServiceError, WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, TerminatedFailure } from '@temporalio/common';

/** Runs by workflow type: from arguments to result or failure. */
export type DoubledRuns = Record<string, (...args: any[]) => Promise<unknown>>;

/** A client whose runs are these functions. A run of another type never ends. */
export function engineDouble(runs: DoubledRuns): Client {
  const start = async (type: string, { args }: { args: unknown[] }) => {
    const result = (runs[type] ?? endlessRun)(...args);
    result.catch(() => undefined);
    return { result: () => result };
  };
  const open = { describe: async () => ({ status: { name: 'RUNNING' } }) };
  return {
    withDeadline: (_at: number, call: () => unknown) => call(),
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
    workflow: { start, signalWithStart: start, getHandle: () => open },
  } as unknown as Client;
}

const endlessRun = () => new Promise<never>(() => undefined);

/** The failure of a run as its caller sees it. */
export function runFailure(type: string, message: string, details?: object): WorkflowFailedError {
  const cause = ApplicationFailure.create({ type, message, ...(details && { details: [details] }) });
  return new WorkflowFailedError('Workflow execution failed', cause, 'NON_RETRYABLE_FAILURE');
}

/** A run's end from outside. */
export function runEnded(): WorkflowFailedError {
  const cause = new TerminatedFailure('ended');
  return new WorkflowFailedError('Workflow execution terminated', cause, 'NON_RETRYABLE_FAILURE');
}

/** The client's error while the engine is unavailable. */
export function engineAway(): ServiceError {
  const gone = { code: 14, details: 'no connection', metadata: {} };
  return new ServiceError('away', { cause: Object.assign(new Error('14: no connection'), gone) });
}
