import { countSealed, renewSealed, SEALED_PLACES } from '../../db/queries/accounts/sealed-values.js';
import { keyIdOf, UnreadableSecret } from '../../lib/app-keys.js';
import { findKeyUses, UNKNOWN_KEY_ID } from '../../temporal/key-uses.js';
import { CLEAR_KEY_ID } from '../../temporal/payload-codec.js';
import type { App } from '../app.js';
import { type ActingApp, auditedAct } from './audited.js';

const BATCH = 200;

/** A key of one of the rings, or one that is in use without being there. */
interface Key {
  variable: 'APP_KEY' | 'TEMPORAL_PAYLOAD_KEY';
  /** Its id; in parentheses what has none. */
  key: string;
  does: 'seals' | 'opens' | 'is missing' | 'is accepted' | 'is refused' | 'cannot be told';
  /** Stored values, or open runs and Schedules, that need it until something is done. */
  needs: number;
  /** Those that end by themselves: sessions, invitations, answers to forms that were sent. */
  ending: number;
  /** Where such a value is, or the id of such a run or Schedule; null where there is none. */
  example: string | null;
  /** Whether nothing needs it any more: it may be taken out. */
  removable: boolean;
}

type KeysApp = Pick<App<'appKeys' | 'payloadEncryption'>, 'db' | 'temporal' | 'config'>;

/** The keys of both rings with what still uses each. Reads every open run and Schedule. */
export async function listKeys(app: KeysApp): Promise<Key[]> {
  return [...(await listAppKeys(app)), ...(await listPayloadKeys(app))];
}

/** The keys of `APP_KEY` with the stored values under each. */
export async function listAppKeys({
  db,
  config: { appKeys },
}: Pick<App<'appKeys'>, 'db' | 'config'>): Promise<Key[]> {
  const uses = new Map<string, Pick<Key, 'needs' | 'ending' | 'example'>>(
    appKeys.ids.map((id) => [id, { needs: 0, ending: 0, example: null }]),
  );
  for (const place of SEALED_PLACES) {
    for (const [id, amount] of await countSealed(db, place)) {
      const known = uses.get(id) ?? { needs: 0, ending: 0, example: null };
      const kind = place.endsAlone === true ? 'ending' : 'needs';
      const example = known.example ?? `${place.table}.${place.column}`;
      uses.set(id, { ...known, [kind]: known[kind] + amount, example });
    }
  }
  return [...uses].map(([key, used]) => {
    const does = key === appKeys.first ? 'seals' : appKeys.ids.includes(key) ? 'opens' : 'is missing';
    const removable = does === 'opens' && used.needs + used.ending === 0;
    return { variable: 'APP_KEY', key, does, ...used, removable };
  });
}

/** The keys of `TEMPORAL_PAYLOAD_KEY` with the open runs and Schedules under each. */
export async function listPayloadKeys({
  temporal,
  config: { payloadEncryption },
}: Pick<App<'payloadEncryption'>, 'temporal' | 'config'>): Promise<Key[]> {
  const ring = [...(payloadEncryption?.keys.keys() ?? [])];
  const uses = await findKeyUses(temporal);
  const isSure = !uses.has(UNKNOWN_KEY_ID);
  const doesOf = (key: string): Key['does'] => {
    if (key === UNKNOWN_KEY_ID) return 'cannot be told';
    const clear = payloadEncryption?.clear ?? 'write';
    if (key === CLEAR_KEY_ID) return clear === 'refuse' ? 'is refused' : 'is accepted';
    if (key === ring[0] && clear !== 'write') return 'seals';
    return ring.includes(key) ? 'opens' : 'is missing';
  };
  return [...new Set([...ring, ...uses.keys()])].map((key) => {
    const { openRuns, schedules, example } = uses.get(key) ?? { openRuns: 0, schedules: 0, example: null };
    const needs = openRuns + schedules;
    const does = doesOf(key);
    const removable = isSure && does === 'opens' && needs === 0;
    return { variable: 'TEMPORAL_PAYLOAD_KEY', key, does, needs, ending: 0, example, removable };
  });
}

/**
 * Seals what other keys of `APP_KEY` have sealed with the first one, in batches: it may be stopped, repeated, and run
 * twice at once. `unreadable`: rows with a value whose key is missing, which are left as they are.
 */
export async function reEncrypt(
  app: ActingApp & Pick<App<'appKeys'>, 'config'>,
): Promise<{ rows: number; unreadable: number }> {
  const { appKeys } = app.config;
  const about = { target: { kind: 'service', id: 'APP_KEY' }, accountId: null } as const;
  return await auditedAct(app, 'keys.re-encrypt', about, async () => {
    const done = { rows: 0, unreadable: 0 };
    for (const place of SEALED_PLACES.filter(({ endsAlone }) => endsAlone !== true)) {
      const isOld = (sealed: Buffer) => keyIdOf(sealed) !== appKeys.first;
      const renew = (sealed: Buffer) => {
        try {
          return appKeys.renew(place.purpose, sealed);
        } catch (error) {
          if (error instanceof UnreadableSecret) return null;
          throw error;
        }
      };
      for (let after: string | null = null; ; ) {
        const page = await renewSealed(app.db, place, { after, limit: BATCH }, { isOld, renew });
        done.rows += page.rows;
        done.unreadable += page.unreadable;
        if (page.last === null) break;
        after = page.last;
      }
    }
    return done;
  });
}
