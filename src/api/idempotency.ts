import { createHash } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { IdempotencyRef } from '../contracts/create-shipment.js';
import { validationError } from '../domain/errors.js';
import { problem } from '../domain/problems/problem.js';
import { writeCanonicalJson } from '../lib/canonical-json.js';
import { DAY_SECONDS, nowIso } from '../lib/time.js';

/** Changes when the rule below changes, so that old fingerprints never match new ones. */
const FINGERPRINT_VERSION = 'v1';

/** Identifies equal requests: version, method, route and the canonical JSON (RFC 8785) of the body as sent. */
export function fingerprintOf(request: { method: string; route: string; body: unknown }): string {
  const hash = createHash('sha256');
  let pending = [FINGERPRINT_VERSION, request.method, request.route, ''].join('\n');
  // Hashed in pieces: the whole text would be as large as the body again.
  writeCanonicalJson(request.body, (piece) => {
    pending += piece;
    // Short pieces are hashed together.
    if (pending.length < 65_536) return;
    hash.update(pending, 'utf8');
    pending = '';
  });
  return hash.update(pending, 'utf8').digest('hex');
}

/**
 * The key under which a v2 request happens at most once: the `Idempotency-Key` header, else the request's fingerprint.
 * @throws AppError `validation_failed` for a header that is no usable key.
 */
export function idempotencyOf(
  request: { fingerprint: string; headerValues: readonly string[] },
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): IdempotencyRef {
  const key = keyIn(request.headerValues);
  if (key === undefined) {
    throw validationError({ 'Idempotency-Key': [problem('idempotency_key')] });
  }
  const { fingerprint } = request;
  return {
    api: 'v2',
    fingerprint,
    keyHash: key === null ? sha256(`f:${fingerprint}`) : sha256(`k:${key}`),
    ...(key === null
      ? { keepForSeconds: config.fingerprintHours * 3600, freesBefore: nowIso() }
      : { keepForSeconds: config.idempotencyKeyDays * DAY_SECONDS }),
  };
}

/** Whether {@link idempotencyOf} accepts these values of the header, including none. */
export function isKeyUsable(values: readonly string[]): boolean {
  return keyIn(values) !== undefined;
}

/** The key without surrounding double quotes; null without a header, undefined where it is unusable. */
function keyIn(values: readonly string[]): string | null | undefined {
  const [sent] = values;
  if (sent === undefined) return null;
  const key = /^"(.*)"$/s.exec(sent)?.[1] ?? sent;
  return values.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key) ? key : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
