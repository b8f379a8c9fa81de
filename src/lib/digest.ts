import { createHash } from 'node:crypto';

/** 27 characters of the content's SHA-256, base64url: 162 bits, more than enough to tell contents apart. */
export function shortDigest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}
