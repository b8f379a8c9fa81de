import type { Executor } from '../../database.js';
import { shippingStatuses } from '../../tables/index.js';

/** Status names in order that contain `search`, ignoring case. It has no wildcards. */
export async function listStatusNames(db: Executor, search = ''): Promise<string[]> {
  const rows = await shippingStatuses
    .pick('name')
    .select(db, 'FROM shipping_statuses WHERE LOCATE(LOWER(?), LOWER(name)) > 0 ORDER BY name', [search]);
  return rows.map(({ name }) => name);
}
