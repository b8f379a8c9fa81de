import { findKeyUses, UNKNOWN_KEY_ID } from '../../temporal/key-uses.js';
import { CLEAR_KEY_ID } from '../../temporal/payload-codec.js';
import type { App } from '../app.js';

/** A key of `TEMPORAL_PAYLOAD_KEY`, or one that is in use without being there. */
interface PayloadKey {
  /** Its id; in parentheses what has none. */
  key: string;
  does: 'encrypts' | 'decrypts' | 'is missing' | 'is accepted' | 'is refused' | 'cannot be told';
  openRuns: number;
  schedules: number;
  /** Id of a run or Schedule that uses it; null where none does. */
  example: string | null;
  /** Whether nothing needs it any more: it may be taken out. */
  removable: boolean;
}

/** The payload keys with what still uses each. Reads every open run and Schedule. */
export async function listPayloadKeys({
  temporal,
  config: { payloadEncryption },
}: Pick<App<'payloadEncryption'>, 'temporal' | 'config'>): Promise<PayloadKey[]> {
  const ring = [...(payloadEncryption?.keys.keys() ?? [])];
  const uses = await findKeyUses(temporal);
  const isSure = !uses.has(UNKNOWN_KEY_ID);
  const does = (key: string): PayloadKey['does'] => {
    if (key === UNKNOWN_KEY_ID) return 'cannot be told';
    if (key === CLEAR_KEY_ID) return payloadEncryption?.acceptsClear === false ? 'is refused' : 'is accepted';
    if (key === ring.at(-1)) return 'encrypts';
    return ring.includes(key) ? 'decrypts' : 'is missing';
  };
  return [...new Set([...ring, ...uses.keys()])].map((key) => {
    const used = uses.get(key) ?? { openRuns: 0, schedules: 0, example: null };
    const isUnused = used.openRuns + used.schedules === 0;
    return { key, does: does(key), ...used, removable: isSure && does(key) === 'decrypts' && isUnused };
  });
}
