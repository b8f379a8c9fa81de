/** Header of runs and activities with the id of the request that began them. The engine stores headers in clear. */
export const REQUEST_HEADER = 'request-id';
