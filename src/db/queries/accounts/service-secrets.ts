import type { Executor } from '../../database.js';
import { shape } from '../../selection.js';
import { serviceSecrets } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';

/** A secret of the whole service, as its keyed hash (32 bytes) and its last four characters. */
type ServiceSecret = Omit<RowOf<typeof serviceSecrets>, 'updatedAt'>;

/** Sets a secret, or replaces it: the old one stops working at once. */
export async function putServiceSecret(db: Executor, secret: ServiceSecret): Promise<void> {
  await serviceSecrets.insert(db, secret, { replacing: ['secretHash', 'secretLast4'] });
}

/** Sets a secret unless its name exists. */
export async function keepServiceSecret(db: Executor, secret: ServiceSecret): Promise<void> {
  await serviceSecrets.insert(db, secret, { replacing: ['name'] });
}

/** A secret such as `app_secret`, with when it was set (ISO 8601 UTC); null when it is not set. */
export async function findServiceSecret(
  db: Executor,
  name: string,
): Promise<RowOf<typeof serviceSecrets> | null> {
  return await shape(serviceSecrets.as('s')).first(db, 'FROM service_secrets s WHERE name = ?', [name]);
}
