import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** Statuses whose body holds the reason that decides the outcome. */
const READ_STATUSES = [403, 404, 409, 422];

/** The API below `/api/v1/`. The key travels in the query. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/api/v1/${path}?key=${encodeURIComponent(secret)}`,
  headers: { accept: 'application/json' },
  readStatuses: READ_STATUSES,
  maxReplyBytes: 10_000_000,
}));
