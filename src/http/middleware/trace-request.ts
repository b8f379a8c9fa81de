import type { RequestHandler } from 'express';
import { isPlainId } from '../../lib/request-context.js';
import { failSpan, openSpan, presentTraceId, SpanKind, withSpan } from '../../lib/tracing.js';
import { factsOf } from './access-log.js';

/** Makes each request a span, within its caller's trace where it sends a `traceparent`. Names the route, not the path. */
export const traceRequests: RequestHandler = (req, res, next) => {
  const [traceparent] = req.headersDistinct.traceparent ?? [];
  const span = openSpan(req.method, { kind: SpanKind.SERVER, traceparent });
  const facts = factsOf(req);
  res.once('close', () => {
    const { route, requestId, shipment, errorCode } = facts;
    if (route !== undefined) span.updateName(route);
    span.setAttributes({
      'http.request.method': req.method,
      'http.route': route,
      'http.response.status_code': res.statusCode,
      'parcelworks.shipment': shipment,
      'parcelworks.request_id': isPlainId(requestId) ? requestId : undefined,
    });
    if (res.statusCode >= 500) failSpan(span, errorCode ?? String(res.statusCode));
    span.end();
  });
  withSpan(span, () => {
    facts.traceId = presentTraceId();
    next();
  });
};
