import type { Executor } from '../../database.js';
import { placeholders } from '../../sql.js';
import { toldOperators } from '../../tables/index.js';

/** The ways of telling operators. */
export type OperatorChannel = 'hook' | 'mail';

/** A shipment that waits for a person; `since` is when it began, as ISO 8601 UTC with microseconds. */
interface Wait {
  uuid: string;
  since: string;
}

/** The waits that the channel has told of, by uuid. */
export async function mapTold(db: Executor, channel: OperatorChannel): Promise<Map<string, string>> {
  const told = await toldOperators.find(db, toldOperators.pick('shipmentUuid', 'since'), { channel });
  return new Map(told.map(({ shipmentUuid, since }) => [shipmentUuid, since]));
}

/** Notes waits that the channel has told of. */
export async function markTold(
  db: Executor,
  channel: OperatorChannel,
  waits: readonly Wait[],
): Promise<void> {
  const rows = waits.map(({ uuid: shipmentUuid, since }) => ({ channel, shipmentUuid, since }));
  await toldOperators.insertAll(db, rows, 'ON DUPLICATE KEY UPDATE since = VALUES(since), told_at = NOW(6)');
}

/** Forgets waits that are over. */
export async function forgetTold(
  db: Executor,
  channel: OperatorChannel,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  await db.run(
    `DELETE FROM told_operators WHERE channel = ? AND shipment_uuid IN (${placeholders(uuids.length)})`,
    [channel, ...uuids],
  );
}
