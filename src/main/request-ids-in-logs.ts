import type { ActivityInterceptors } from '@temporalio/worker';
import { withRequestId } from '../lib/request-context.js';
import { requestIdIn } from '../temporal/request-ids.js';

/** Runs an activity as part of the request that began its run, and adds the request's id to its log lines. */
export function namingRequest(): ActivityInterceptors {
  let requestId: string | undefined;
  return {
    inbound: {
      async execute(input, next) {
        requestId = requestIdIn(input.headers);
        return await (requestId === undefined ? next(input) : withRequestId(requestId, () => next(input)));
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) =>
        next({ ...attributes, ...(requestId !== undefined && { requestId }) }),
    },
  };
}
