/**
 * Headers that runs hand on to their activities: the id of the request that began the run, and its place in a trace.
 * The engine stores headers in clear.
 */
export const CARRIED_HEADERS = { requestId: 'request-id', traceparent: 'traceparent' } as const;
