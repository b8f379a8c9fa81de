import {
  defaultPayloadConverter,
  type Payload,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { CARRIED_HEADERS } from '../../src/contracts/carried-headers.js';

/**
 * Interceptors that hand a run's headers on to its activities, and add the request's id to the run's log lines.
 * Headers are no part of what a replay compares.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Record<string, Payload> = {};
  const handOn = <I extends { headers: Record<string, Payload> }>(input: I): I => ({
    ...input,
    headers: { ...carried, ...input.headers },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          carried = picked(input.headers);
          return next(input);
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
