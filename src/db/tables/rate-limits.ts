import { bytes, int, table } from './table.js';

/** The table `rate_limits`. */
export const rateLimits = table('rate_limits', {
  keyHash: bytes('BINARY(32)').primary(),
  windowStart: int('INT UNSIGNED').primary(),
  hits: int('INT UNSIGNED'),
});
