import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Compared with where nothing is stored. */
const DUMMY_HASH = Buffer.alloc(32, 0x5a);

/** Whether hashes of 32 bytes are equal. It takes as long where none is stored as where the sent one is wrong. */
export function isSameHash(stored: Buffer | null | undefined, sent: Buffer): boolean {
  const isEqual = timingSafeEqual(stored ?? DUMMY_HASH, sent);
  return isEqual && stored != null;
}

/**
 * Encrypts with AES-256-GCM: 12 bytes IV, 16 bytes tag, cipher text. `key` has 32 bytes. `boundTo` is not stored;
 * decryption needs the same text.
 */
export function encrypt(plain: Uint8Array | string, key: Buffer, boundTo = ''): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts the output of {@link encrypt}; throws for another key or `boundTo`, or changed bytes. */
export function decryptBytes(blob: Buffer, key: Buffer, boundTo = ''): Buffer {
  // Without it, a shorter tag would be accepted, which is easier to guess.
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, IV_BYTES), options);
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(blob.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(blob.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** A random token: the prefix and `bytes` random bytes in base64url. */
export function randomToken(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}
