import { createHash } from 'node:crypto';

/** 27 base64url characters (162 bits) of the content's SHA-256. */
export function shortDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}
