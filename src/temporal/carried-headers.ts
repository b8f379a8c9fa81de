import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers, type Payload } from '@temporalio/common';
import { CARRIED_HEADERS } from '../contracts/carried-headers.js';
import { isPlainId, presentRequestId } from '../lib/request-context.js';
import { inSpan, SpanKind, traceHeaders } from '../lib/tracing.js';

/**
 * Gives the runs and Updates that a request begins its id and its trace. Signals have none: those that wake a run are
 * sent together, for several requests.
 */
export const carryingRequest: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(`start ${input.workflowType}`, { kind: SpanKind.PRODUCER }, () =>
      next({ ...input, headers: withRequest(input.headers) }),
    ),
  startUpdate: (input, next) =>
    inSpan(`update ${input.updateName}`, { kind: SpanKind.PRODUCER }, () =>
      next({ ...input, headers: withRequest(input.headers) }),
    ),
};

/** The values that {@link carryingRequest} gave a run, as its activities get it. */
export function carriedRequest(headers: Headers) {
  return {
    requestId: textIn(headers, CARRIED_HEADERS.requestId),
    traceparent: textIn(headers, CARRIED_HEADERS.traceparent),
  };
}

function withRequest(headers: Headers): Headers {
  const id = presentRequestId();
  const carried: Headers = { ...headers };
  if (id !== undefined && isPlainId(id)) carried[CARRIED_HEADERS.requestId] = payloadOf(id);
  const { traceparent } = traceHeaders();
  if (traceparent !== undefined) carried[CARRIED_HEADERS.traceparent] = payloadOf(traceparent);
  return carried;
}

function payloadOf(text: string): Payload {
  return defaultPayloadConverter.toPayload(text);
}

function textIn(headers: Headers, name: string): string | undefined {
  const payload = headers[name];
  const text: unknown = payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  return typeof text === 'string' ? text : undefined;
}
