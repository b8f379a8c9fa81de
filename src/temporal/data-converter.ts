import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config.js';
import { EncryptingCodec } from './payload-codec.js';

const CONVERTERS = fileURLToPath(new URL('./converters.js', import.meta.url));

/** Converters used with encryption; workflows get them from their bundle. */
export const CONVERTER_PATHS = { payloadConverterPath: CONVERTERS, failureConverterPath: CONVERTERS };

/**
 * Data converter of clients, workers and replays. With `TEMPORAL_PAYLOAD_KEY` it encrypts payloads and
 * failures' messages and stack traces: a carrier's refusal may quote personal data.
 */
export function dataConverterOf({ payloadEncryption }: Pick<Config, 'payloadEncryption'>): DataConverter {
  if (payloadEncryption === null) return {};
  return { payloadCodecs: [new EncryptingCodec(payloadEncryption)], ...CONVERTER_PATHS };
}
