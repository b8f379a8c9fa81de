import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keyed SHA-256 of a secret, 32 bytes: what is stored instead of the secret. */
export function hashSecret(secret: string, appKey: Buffer): Buffer {
  return createHmac('sha256', appKey).update(secret, 'utf8').digest();
}

/** AES-256-GCM: 12 bytes IV, 16 bytes tag, cipher text. `key` is 32 bytes. */
export function encrypt(plain: Uint8Array | string, key: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Opens what {@link encrypt} sealed; throws when the key is another or a byte was changed. */
export function decryptBytes(blob: Buffer, key: Buffer): Buffer {
  // Without the length, a shorter tag would do, which is sooner guessed.
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, IV_BYTES), options);
  decipher.setAuthTag(blob.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(blob.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** {@link decryptBytes} as UTF-8 text. */
export function decrypt(blob: Buffer, key: Buffer): string {
  return decryptBytes(blob, key).toString('utf8');
}

/** An unguessable token: the prefix and `bytes` random bytes in base64url. */
export function randomToken(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}
