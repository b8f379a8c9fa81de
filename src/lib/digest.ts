import { createHash } from 'node:crypto';

/** 27 base64url characters (162 bits) of the content's SHA-256. */
export function shortDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}

/** SHA-256 of a text, 32 bytes. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
