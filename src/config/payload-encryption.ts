import type { Environment } from './environment.js';
import type { KeyRing } from './validators.js';

/** Encryption of what runs store in the engine. */
export interface PayloadEncryption {
  /** The last key encrypts, each decrypts. */
  readonly keys: KeyRing;
  /** Whether payloads are read that are not encrypted. */
  readonly acceptsClear: boolean;
}

/** Null without a key. */
export function encryptionOf({
  TEMPORAL_PAYLOAD_KEY,
  TEMPORAL_PAYLOAD_CLEAR,
}: Environment): PayloadEncryption | null {
  if (TEMPORAL_PAYLOAD_KEY === undefined) return null;
  return { keys: TEMPORAL_PAYLOAD_KEY, acceptsClear: TEMPORAL_PAYLOAD_CLEAR === 'accept' };
}
