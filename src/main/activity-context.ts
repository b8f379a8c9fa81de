import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { withRequestId } from '../lib/request-context.js';
import { inSpan, SpanKind } from '../lib/tracing.js';
import { type CarriedRequest, carriedRequest } from '../temporal/carried-headers.js';

/**
 * Runs an activity as part of the request that began its run: its log lines have the request's id, and it is a span of
 * the request's trace.
 */
export function inRequest({ info }: Context): ActivityInterceptors {
  let request: CarriedRequest = {};
  return {
    inbound: {
      async execute(input, next) {
        request = carriedRequest(input.headers);
        const { requestId, traceparent } = request;
        const options = {
          kind: SpanKind.CONSUMER,
          traceparent,
          attributes: {
            'temporal.workflow.id': info.workflowExecution?.workflowId,
            'temporal.task_queue': info.taskQueue,
            'temporal.attempt': info.attempt,
          },
        };
        const work = () => inSpan(info.activityType, options, () => next(input), kindOf);
        return await (requestId === undefined ? work() : withRequestId(requestId, work));
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) =>
        next({ ...attributes, ...(request.requestId !== undefined && { requestId: request.requestId }) }),
    },
  };
}

function kindOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? error.name;
  return error instanceof Error ? error.name : 'unknown';
}
