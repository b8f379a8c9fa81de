import type { Actor } from '../../src/domain/audit.js';

/** Who changes what tests change. */
export const TEST_ACTOR: Actor = { kind: 'admin', name: 'tester', origin: 'test' };
