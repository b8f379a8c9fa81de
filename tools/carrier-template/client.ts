import { baseOf, jsonApi } from '../../src/carriers/json-api.js';
import { readConfig } from './config.js';

/** The API below `/v1/`. The real protocol's addresses, and how it knows the merchant, come here. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/v1/${path}`,
  headers: { authorization: `Bearer ${secret}` },
}));
