import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** Statuses whose body holds the reason. */
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
  // A base64 label is a third longer than its file.
  maxReplyBytes: 15_000_000,
}));
