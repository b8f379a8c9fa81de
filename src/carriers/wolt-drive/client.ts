import type { JsonObject } from '../../domain/shipment.js';
import type { Outcome } from '../contract.js';
import { callJson, type JsonReply } from '../json-api.js';
import type { WoltConfig } from './config.js';

/** Sends one call; `path` begins with a slash. */
export function callApi(
  call: { method: 'POST' | 'PATCH'; path: string; body: JsonObject },
  { settings, merchantKey, timeoutMs }: WoltConfig,
  signal: AbortSignal,
): Promise<Outcome<JsonReply>> {
  const { method, path, body } = call;
  const url = settings.base_url.replace(/\/+$/, '') + path;
  const headers = { authorization: `Bearer ${merchantKey}` };
  return callJson({ method, url, headers, body, timeoutMs, signal });
}
