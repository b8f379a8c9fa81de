import { baseOf, jsonApi } from '../../src/carriers/json-api.js';
import { readConfig } from './config.js';

/** The API below `/v1/`. Replace address and authentication by the real protocol's. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/v1/${path}`,
  headers: { authorization: `Bearer ${secret}` },
}));
