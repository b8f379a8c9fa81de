import type { Executor } from '../../db/database.js';
import { countSealed, SEALED_PLACES } from '../../db/queries/accounts/sealed-values.js';
import {
  findServiceSecret,
  keepServiceSecret,
  listServiceSecrets,
  putServiceSecret,
} from '../../db/queries/accounts/service-secrets.js';
import { proofName, SERVICE_SECRETS } from '../../domain/service-secrets.js';
import { type AppKeys, keyIdOf, UnreadableSecret } from '../../lib/app-keys.js';
import { lastingKey } from './lasting-key.js';

const WRITER = SERVICE_SECRETS.writer;

/**
 * Why these keys do not fit the database, in words that name variable and id; null where they do, as with a new one. A
 * key may be left out once nothing lasting is sealed with it, and once another one seals.
 */
export async function appKeyTrouble(db: Executor, appKeys: AppKeys): Promise<string | null> {
  const proofs = await listServiceSecrets(db, proofName(''));
  for (const { sealed } of proofs.filter(({ sealed }) => appKeys.ids.includes(keyIdOf(sealed)))) {
    try {
      appKeys.open('key check', sealed);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      return `APP_KEY: the key ${keyIdOf(sealed)} must be the one with which the database was set up`;
    }
  }
  const writer = await findServiceSecret(db, WRITER);
  const writing = writer === null ? null : keyIdOf(writer.sealed);
  if (writing !== null && !appKeys.ids.includes(writing)) {
    return `APP_KEY: the key ${writing} is missing, with which other processes seal`;
  }
  for (const id of proofs.map(({ sealed }) => keyIdOf(sealed))) {
    const rows = appKeys.ids.includes(id) ? 0 : await rowsNeeding(db, id);
    if (rows > 0) return `APP_KEY: the key ${id} is missing, with which ${rows} stored values are sealed`;
  }
  return null;
}

/** Notes which keys there are and which one seals, and makes {@link lastingKey}. Only without {@link appKeyTrouble}. */
export async function noteAppKeys(db: Executor, appKeys: AppKeys): Promise<void> {
  const known = new Set((await listServiceSecrets(db, proofName(''))).map(({ name }) => name));
  for (const id of appKeys.ids.filter((one) => !known.has(proofName(one)))) {
    const sealed = appKeys.sealWith(id, 'key check', proofName(id));
    await keepServiceSecret(db, { name: proofName(id), sealed, secretLast4: '' });
  }
  await lastingKey(db, appKeys);
  const writer = await findServiceSecret(db, WRITER);
  if (writer !== null && keyIdOf(writer.sealed) === appKeys.first) return;
  await putServiceSecret(db, { name: WRITER, sealed: appKeys.seal('key check', WRITER), secretLast4: '' });
}

async function rowsNeeding(db: Executor, keyId: string): Promise<number> {
  let rows = 0;
  for (const place of SEALED_PLACES.filter(({ endsAlone }) => endsAlone !== true)) {
    rows += (await countSealed(db, place)).get(keyId) ?? 0;
  }
  return rows;
}
