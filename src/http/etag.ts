import { shortDigest } from '../lib/digest.js';

/** Weak entity tag of a body. */
export function weakEtag(body: string): string {
  return `W/"${shortDigest(body)}"`;
}

/** Whether `If-None-Match` (a list, or `*`) names the tag, compared weakly (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque);
}
