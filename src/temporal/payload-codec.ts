import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { decryptBytes, encrypt } from '../lib/secrets.js';

const ENCODING = 'binary/encrypted';

/** Encrypts workflow payloads with AES-256-GCM, so that the engine stores no readable personal data. */
export class EncryptingCodec implements PayloadCodec {
  constructor(private readonly key: Buffer) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => ({
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(ENCODING) },
      data: encrypt(proto.temporal.api.common.v1.Payload.encode(payload).finish(), this.key),
    }));
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      const encoding = payload.metadata?.[METADATA_ENCODING_KEY];
      if (encoding === undefined || encoding === null || Buffer.from(encoding).toString() !== ENCODING)
        return payload;
      return proto.temporal.api.common.v1.Payload.decode(
        decryptBytes(Buffer.from(payload.data ?? []), this.key),
      );
    });
  }
}
