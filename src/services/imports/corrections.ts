import { randomUUID } from 'node:crypto';
import { type FailedItem, failedItems } from '../../db/queries/batches/failed-items.js';
import { findCorrection, insertDraft } from '../../db/queries/imports/drafts.js';
import { replaceRows } from '../../db/queries/imports/rows.js';
import type { BatchRecord } from '../../domain/batch.js';
import type { Item } from '../../domain/imports/orders.js';
import { jsonOf, valueAt } from '../../lib/json.js';
import type { App } from '../app.js';
import { checkRows, type ItemCheck } from './check.js';

/**
 * Makes a draft of a batch's failed items whose data are at fault, each with what was said of it; one that is open already
 * is gone on with. Items that may have a parcel are left out. Returns the draft's uuid; null where no item can be mended.
 */
export async function correctBatch(
  app: Pick<App, 'db'>,
  { batch, check }: { batch: BatchRecord; check: ItemCheck },
): Promise<string | null> {
  const { accountId, uuid: batchUuid, licenseId, licenseKey } = batch;
  const open = await findCorrection(app.db, { accountId, batchUuid });
  if (open !== null) return open.uuid;
  const failed = await failedItems(app.db, { accountId, batchId: batch.id });
  const rows = failed.flatMap((one) => {
    const item = itemOf(one, licenseKey);
    if (item === null) return [];
    // The rules of a creation find their faults again, each at its cell.
    const told = one.code === 'validation_failed' ? undefined : one.message;
    return [{ line: one.position + 1, item, edits: {}, hold: null, isTaken: false, told }];
  });
  if (rows.length === 0) return null;
  const checked = await checkRows(app, rows, { check, licenseId, others: new Map() });
  const uuid = randomUUID();
  await app.db.transaction(async (tx) => {
    const draft = { uuid, accountId, licenseId, fileName: '', source: '', packedTable: null, columns: [] };
    await replaceRows(tx, await insertDraft(tx, { ...draft, corrects: batchUuid }), checked);
  });
  return uuid;
}

/** The order of an item; null for one of another license, or of another shape than an order's. */
function itemOf({ payload }: FailedItem, licenseKey: string): Item | null {
  const sent = jsonOf(Buffer.from(payload));
  const key = valueAt(sent, 'license_key');
  if (key !== undefined && key !== null && key !== licenseKey) return null;
  const [ship, order] = [valueAt(sent, 'ship_data'), valueAt(sent, 'order')];
  if (typeof ship !== 'object' || typeof order !== 'object') return null;
  return { ship_data: { ...ship }, order: { ...order } };
}
