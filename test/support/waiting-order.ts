import { type ApiClient, shipmentBody } from './api-client.js';
import { eventually } from './conditions.js';
import type { TestStack } from './stack.js';

/** A creation that waits for a person, and the code under which the carrier has its parcel. */
export async function waitingOrder(
  { account, db, sandboxes }: TestStack,
  client: ApiClient,
): Promise<{ uuid: string; code: string }> {
  const sandbox = sandboxes.get('getpackage');
  if (sandbox === undefined) throw new Error('getpackage has no sandbox');
  await sandbox.fault({ operation: 'book', kind: 'drop_after' });
  const pending = await client.create(shipmentBody(account, 'getpackage'));
  const { uuid } = pending.body.data;
  await eventually(async () => {
    const [row] = await db.select('SELECT status_code FROM shipments WHERE uuid = ?', [uuid]);
    return row?.status_code === 'needs_attention';
  }, 'a creation that needs attention');
  await sandbox.fault({ operation: 'book', kind: 'none' });
  const booked = (await sandbox.ledger()).find(({ reference }) => reference === uuid);
  return { uuid, code: booked?.code ?? '' };
}
