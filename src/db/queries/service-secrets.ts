import type { Executor } from '../database.js';
import { bytes } from '../row.js';

/** The keyed hash (32 bytes) of a secret of the whole service, such as `app_secret`; null when it is not set. */
export async function findServiceSecret(db: Executor, name: string): Promise<Buffer | null> {
  const [row] = await db.select('SELECT secret_hash FROM service_secrets WHERE name = ?', [name]);
  return row === undefined ? null : bytes(row, 'secret_hash');
}
