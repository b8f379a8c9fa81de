import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config.js';
import { EncryptingCodec } from './payload-codec.js';

/** The failure converter of those who encrypt; workflows have it from their bundle. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('./failure-converter.js', import.meta.url));

/**
 * The data converter of client, worker and replays. When `TEMPORAL_PAYLOAD_KEY` is set it encrypts payloads, and with
 * them the messages and stack traces of failures: a carrier's refusal may quote a name or a phone.
 */
export function dataConverterOf(config: Pick<Config, 'temporalPayloadKey'>): DataConverter {
  if (config.temporalPayloadKey === null) return {};
  return {
    payloadCodecs: [new EncryptingCodec(config.temporalPayloadKey)],
    failureConverterPath: FAILURE_CONVERTER_PATH,
  };
}
