import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** The API of venues and orders. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/${path}`,
  headers: { authorization: `Bearer ${secret}` },
}));
