import { ApplicationFailure, type WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Interceptors of every run: its log lines say with which type of failure it ended, as `failure`. The error itself
 * loses its type on the way from the workflows' thread to the log, and its message may hold personal data.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let failure: string | undefined;
  return {
    inbound: [
      {
        execute: (input, next) => {
          const run = next(input);
          // Beside the run, and not in its way: a step more would make later commands go before its end.
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
