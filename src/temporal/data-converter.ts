import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import type { Config, PayloadEncryption } from '../config/config.js';
import { EncryptingCodec, type OnRefused } from './payload-codec.js';

const CONVERTERS = fileURLToPath(new URL('./converters.js', import.meta.url));

/** Converters used with encryption; workflows get them from their bundle. */
export const CONVERTER_PATHS = { payloadConverterPath: CONVERTERS, failureConverterPath: CONVERTERS };

/** Without a key: what others have encrypted is said to be so, with its key's id. */
const NO_KEY: PayloadEncryption = { keys: new Map(), clear: 'write' };

/**
 * Data converter of clients, workers and replays. With `TEMPORAL_PAYLOAD_KEY` it encrypts payloads and
 * failures' messages and stack traces: a carrier's refusal may quote personal data. `onRefused`: see
 * {@link EncryptingCodec}.
 */
export function dataConverterOf(
  { payloadEncryption }: Pick<Config, 'payloadEncryption'>,
  onRefused?: OnRefused,
): DataConverter {
  const payloadCodecs = [new EncryptingCodec(payloadEncryption ?? NO_KEY, onRefused)];
  return payloadEncryption === null ? { payloadCodecs } : { payloadCodecs, ...CONVERTER_PATHS };
}
