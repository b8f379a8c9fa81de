import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** All error statuses, for calls whose caller gets the carrier's own reply. */
export const ERRORS = Array.from({ length: 200 }, (_, index) => 400 + index);

/** The API below `/v1/deliveries/`. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/v1/deliveries/${path}`,
  headers: {
    authorization: `APIKEY ${secret}`,
    ...(settings.api_key_header === true ? { 'x-api-key': secret } : {}),
  },
}));
