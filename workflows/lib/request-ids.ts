import {
  defaultPayloadConverter,
  type Payload,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { REQUEST_HEADER } from '../../src/contracts/request-header.js';

/**
 * Interceptors that hand the id of the request which began a run on to its activities, and add it to the run's log
 * lines. Headers are no part of what a replay compares.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Payload | undefined;
  const handOn = <I extends { headers: Record<string, Payload> }>(input: I): I =>
    carried === undefined ? input : { ...input, headers: { ...input.headers, [REQUEST_HEADER]: carried } };
  return {
    inbound: [
      {
        execute(input, next) {
          carried = input.headers[REQUEST_HEADER];
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(handOn(input)),
        scheduleLocalActivity: (input, next) => next(handOn(input)),
        continueAsNew: (input, next) => next(handOn(input)),
        getLogAttributes: (input, next) => ({
          ...next(input),
          ...(carried !== undefined && { requestId: defaultPayloadConverter.fromPayload(carried) }),
        }),
      },
    ],
  };
};
