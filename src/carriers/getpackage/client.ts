import type { JsonObject } from '../../domain/shipment.js';
import type { Outcome } from '../contract.js';
import type { HttpCall } from '../http.js';
import { callJson, type JsonReply } from '../json-api.js';
import type { GetpackageConfig } from './config.js';

const ERRORS = Array.from({ length: 200 }, (_, index) => 400 + index);

/** One call below `/v1/deliveries`. `readErrors`: errors of every status come back as replies, not as outcomes. */
export interface ApiCall {
  method: HttpCall['method'];
  path: string;
  body?: JsonObject;
  readErrors?: boolean;
}

/** Sends one call with the token where the settings want it. */
export function callApi(
  { method, path, body, readErrors }: ApiCall,
  { settings, token, timeoutMs }: GetpackageConfig,
  signal: AbortSignal,
): Promise<Outcome<JsonReply>> {
  return callJson({
    method,
    url: `${settings.base_url.replace(/\/+$/, '')}/v1/deliveries/${path}`,
    headers: {
      authorization: `APIKEY ${token}`,
      ...(settings.api_key_header === true ? { 'x-api-key': token } : {}),
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs,
    signal,
    ...(readErrors === true ? { readStatuses: ERRORS } : {}),
  });
}
