import type { Executor } from '../../database.js';
import { shape } from '../../selection.js';
import { serviceSecrets } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';

/** A secret of the whole service, sealed, and its last four characters. */
type ServiceSecret = Omit<RowOf<typeof serviceSecrets>, 'updatedAt'>;

/** Sets a secret, or replaces it: the old one stops working at once. */
export async function putServiceSecret(db: Executor, secret: ServiceSecret): Promise<void> {
  await serviceSecrets.insert(db, secret, { replacing: ['sealed', 'secretLast4'] });
}

/** Sets a secret unless its name exists. */
export async function keepServiceSecret(db: Executor, secret: ServiceSecret): Promise<void> {
  await serviceSecrets.insert(db, secret, { replacing: ['name'] });
}

/** Those whose name begins so. */
export async function listServiceSecrets(
  db: Executor,
  beginning: string,
): Promise<RowOf<typeof serviceSecrets>[]> {
  return await shape(serviceSecrets.as('s')).select(db, 'FROM service_secrets s WHERE name LIKE ?', [
    `${beginning}%`,
  ]);
}

/** A secret such as `app_secret`, with when it was set (ISO 8601 UTC); null when it is not set. */
export async function findServiceSecret(
  db: Executor,
  name: string,
): Promise<RowOf<typeof serviceSecrets> | null> {
  return await shape(serviceSecrets.as('s')).first(db, 'FROM service_secrets s WHERE name = ?', [name]);
}
