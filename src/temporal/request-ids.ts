import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { REQUEST_HEADER } from '../contracts/request-header.js';
import { presentRequestId } from '../lib/request-context.js';

/** Callers may name a request as they like, and headers are stored in clear: no mail address or sentence goes there. */
const PLAIN_ID = /^[\w.-]{1,64}$/;

/**
 * Gives the runs and Updates that a request begins its id. Signals have none: those that wake a run are sent together,
 * for several requests.
 */
export const carryingRequestId: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withId(input.headers) }),
  startUpdate: (input, next) => next({ ...input, headers: withId(input.headers) }),
};

function withId(headers: Headers): Headers {
  const id = presentRequestId();
  if (id === undefined || !PLAIN_ID.test(id)) return headers;
  return { ...headers, [REQUEST_HEADER]: defaultPayloadConverter.toPayload(id) };
}

/** The id in an activity's headers. */
export function requestIdIn(headers: Headers): string | undefined {
  const payload = headers[REQUEST_HEADER];
  const id: unknown = payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  return typeof id === 'string' ? id : undefined;
}
