import { ApplicationFailure, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Interceptors that add the failure type to a run's log lines, as `failure`: the error loses its type on the
 * way to the log, and its message may hold personal data.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let failure: string | undefined;
  return {
    inbound: [
      {
        execute: (input, next) => {
          const run = next(input);
          // Not awaited: an additional step would reorder commands.
          run.catch((error: unknown) => {
            failure = error instanceof ApplicationFailure ? (error.type ?? undefined) : undefined;
          });
          return run;
        },
      },
    ],
    outbound: [
      { getLogAttributes: (input, next) => ({ ...next(input), ...(failure !== undefined && { failure }) }) },
    ],
  };
};
