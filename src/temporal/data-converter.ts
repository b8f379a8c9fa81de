import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config.js';
import { EncryptingCodec } from './payload-codec.js';

/** Failure converter used with encryption; workflows get it from their bundle. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('./failure-converter.js', import.meta.url));

/**
 * Data converter of clients, workers and replays. With `TEMPORAL_PAYLOAD_KEY` it encrypts payloads and
 * failures' messages and stack traces: a carrier's refusal may quote personal data.
 */
export function dataConverterOf(config: Pick<Config, 'temporalPayloadKey'>): DataConverter {
  if (config.temporalPayloadKey === null) return {};
  return {
    payloadCodecs: [new EncryptingCodec(config.temporalPayloadKey)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}
