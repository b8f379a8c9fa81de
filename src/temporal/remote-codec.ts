import type { Payload } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadEncryption } from '../config/config.js';
import { AppError } from '../domain/errors.js';
import { valueAt } from '../lib/json.js';
import { EncryptingCodec, UnreadablePayload } from './payload-codec.js';

/**
 * Decodes or encodes the payloads of a body as the Temporal UI and CLI send it, and returns the body of the answer,
 * both `{ payloads: [{ metadata: { <name>: base64 }, data: base64 }] }`. @throws AppError `malformed_json` for another
 * body, or a payload that cannot be decrypted
 */
export type RemoteCodec = (operation: 'decode' | 'encode', body: unknown) => object;

/** A payload that a person encodes is bound to no run, because neither UI nor CLI names one. */
export function createRemoteCodec(encryption: PayloadEncryption): RemoteCodec {
  const codec = new EncryptingCodec(encryption);
  return (operation, body) => {
    const payloads = payloadsOf(body);
    const done = operation === 'decode' ? revealed(codec, payloads) : codec.encodeForAnyRun(payloads);
    return {
      payloads: done.map((payload) => Payloads.toObject(Payloads.fromObject(payload), { bytes: String })),
    };
  };
}

const { Payload: Payloads } = proto.temporal.api.common.v1;

function payloadsOf(body: unknown): Payload[] {
  const given = valueAt(body, 'payloads');
  if (!Array.isArray(given)) throw new AppError('malformed_json', 'The body has no list of payloads.');
  return given.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) throw notPayload();
    try {
      return Payloads.fromObject({ ...one });
    } catch (cause) {
      throw notPayload(cause);
    }
  });
}

function notPayload(cause?: unknown): AppError {
  return new AppError(
    'malformed_json',
    'A member of payloads is no payload with metadata and data in base64.',
    {
      cause,
    },
  );
}

function revealed(codec: EncryptingCodec, payloads: readonly Payload[]): Payload[] {
  try {
    return codec.reveal(payloads);
  } catch (cause) {
    if (!(cause instanceof UnreadablePayload)) throw cause;
    throw new AppError('malformed_json', cause.message, { cause });
  }
}
