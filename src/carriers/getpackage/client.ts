import { baseOf, jsonApi } from '../json-api.js';
import { readConfig } from './config.js';

/** Every error, for calls whose caller is given the carrier's own reply. */
export const ERRORS = Array.from({ length: 200 }, (_, index) => 400 + index);

/** The API below `/v1/deliveries/`, with the token where the settings want it. */
export const callApi = jsonApi(readConfig, ({ settings, secret }, path) => ({
  url: `${baseOf(settings)}/v1/deliveries/${path}`,
  headers: {
    authorization: `APIKEY ${secret}`,
    ...(settings.api_key_header === true ? { 'x-api-key': secret } : {}),
  },
}));
