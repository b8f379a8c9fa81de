import {
  ApplicationFailure,
  defaultPayloadConverter,
  type Payload,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { CARRIED_HEADERS } from '../../src/contracts/carried-headers.js';

/**
 * Interceptors that hand a run's headers on to its activities; headers are no part of what a replay compares. They
 * also add the request's id to the run's log lines, and the failure's type as `failure`: the error loses its type on
 * the way to the log, and its message may hold personal data.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Record<string, Payload> = {};
  let failure: string | undefined;
  const handOn = <I extends { headers: Record<string, Payload> }>(input: I): I => ({
    ...input,
    headers: { ...carried, ...input.headers },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          carried = picked(input.headers);
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
      {
        scheduleActivity: (input, next) => next(handOn(input)),
        scheduleLocalActivity: (input, next) => next(handOn(input)),
        continueAsNew: (input, next) => next(handOn(input)),
        getLogAttributes(input, next) {
          const id = carried[CARRIED_HEADERS.requestId];
          return {
            ...next(input),
            ...(failure !== undefined && { failure }),
            ...(id !== undefined && { requestId: defaultPayloadConverter.fromPayload(id) }),
          };
        },
      },
    ],
  };
};

function picked(headers: Record<string, Payload>): Record<string, Payload> {
  const names = Object.values(CARRIED_HEADERS);
  return Object.fromEntries(
    names.flatMap((name) => {
      const payload = headers[name];
      return payload === undefined ? [] : [[name, payload]];
    }),
  );
}
