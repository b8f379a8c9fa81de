import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { stringAt } from '../lib/json.js';
import { withRequestId } from '../lib/request-context.js';
import { inSpan, SpanKind } from '../lib/tracing.js';
import { carriedRequest } from '../temporal/carried-headers.js';

/**
 * Runs an activity as part of the request that began its run: it is a span of the request's trace, and its log lines
 * have the request's id and the parcel's names.
 */
export function inRequest({ info }: Context): ActivityInterceptors {
  let named: { requestId?: string; shipment?: string; orderNumber?: string } = {};
  return {
    inbound: {
      async execute(input, next) {
        const { requestId, traceparent } = carriedRequest(input.headers);
        named = { ...parcelOf(input.args[0]), ...(requestId !== undefined && { requestId }) };
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
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...named }) },
  };
}

function kindOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? error.name;
  return error instanceof Error ? error.name : 'unknown';
}

/** Activities of one parcel have its ids in one of these places of their first argument. */
function parcelOf(given: unknown): { shipment?: string; orderNumber?: string } {
  const shipment =
    stringAt(given, 'shipment', 'uuid') ??
    stringAt(given, 'uuid') ??
    stringAt(given, 'shipmentUuid') ??
    stringAt(given, 'creation', 'shipmentUuid');
  const orderNumber = stringAt(given, 'creation', 'order', 'number') ?? stringAt(given, 'order', 'number');
  return {
    ...(shipment === undefined ? {} : { shipment }),
    ...(orderNumber === undefined ? {} : { orderNumber }),
  };
}
