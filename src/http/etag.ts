import { shortDigest } from '../lib/digest.js';

/** Suffixes that proxies put behind a tag whose body they have compressed, Apache's `"…-gzip"` or Jetty's `"…--gzip"`. */
const CODING = /(?:--?|;)(?:gzip|br|zstd|deflate)$/;

/** Weak entity tag of a body. */
export function weakEtag(body: string): string {
  return `W/"${shortDigest(body)}"`;
}

/**
 * Whether `If-None-Match` (a list, or `*`) names the tag, compared weakly (RFC 9110, 13.1.2). A tag that a proxy has
 * marked with its coding is the same.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const [, own] = /"([^"]*)"/.exec(etag) ?? [];
  return [...ifNoneMatch.matchAll(/"([^"]*)"/g)].some(
    ([, tag = '']) => tag === own || tag.replace(CODING, '') === own,
  );
}
