import type { DataConverter } from '@temporalio/common';
import type { Config } from '../config/config.js';
import { EncryptingCodec } from './payload-codec.js';

/** The data converter of client, worker and replays: encrypting when `TEMPORAL_PAYLOAD_KEY` is set. */
export function dataConverterOf(config: Pick<Config, 'temporalPayloadKey'>): DataConverter {
  return config.temporalPayloadKey === null
    ? {}
    : { payloadCodecs: [new EncryptingCodec(config.temporalPayloadKey)] };
}
