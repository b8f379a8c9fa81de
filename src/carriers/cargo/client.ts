import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** Statuses that bring a reason in their body. */
const READ_STATUSES = [400, 404, 422];

/** The API below `/api/shipments/`. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/api/shipments/${path}`,
  headers: {
    accept: 'application/json',
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
  },
  readStatuses: READ_STATUSES,
  // A label comes inside a reply, a third longer than it is.
  maxReplyBytes: 15_000_000,
}));
