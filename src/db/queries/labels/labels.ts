import { createHash, randomUUID } from 'node:crypto';
import type { LabelOptions, LabelType, WarehouseSort } from '../../../domain/labels.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { carrierLabels, labelSets, shipments } from '../../tables/index.js';

/** The shipments of an address `/shipping/label/<uuid>`, in order, with their options. */
export interface LabelSet {
  uuid: string;
  accountId: number;
  shipmentIds: number[];
  options: LabelOptions;
}

const l = labelSets.as('label_sets');
const SET = shape({
  uuid: l.uuid,
  accountId: l.accountId,
  shipmentIds: l.shipmentIds.map((ids) => (Array.isArray(ids) ? ids.map(Number) : [])),
  options: shape({
    labelType: l.labelType.map(toType),
    position: l.startPosition,
    sort: l.warehouseSort.map(toSort),
  }),
});
const AGED_SET = shape({ set: SET, isOld: expression(`${l.createdAt} < NOW(6) - INTERVAL 1 DAY`, bool) });

/** The account's set of these shipments with these options; created on first use, then always the same. */
export async function ensureLabelSet(db: Executor, set: Omit<LabelSet, 'uuid'>): Promise<LabelSet> {
  const { accountId, shipmentIds, options } = set;
  const contentHash = createHash('sha256')
    .update(
      JSON.stringify([
        shipmentIds,
        options.labelType,
        options.position,
        options.sort ?? null,
        options.sort === null,
      ]),
    )
    .digest();
  const find = () => labelSets.findOne(db, AGED_SET, { accountId, contentHash });
  const known = await find();
  if (known !== null) {
    // A reused address is kept as long as a new one.
    if (known.isOld)
      await db.run('UPDATE label_sets SET created_at = NOW(6) WHERE uuid = ?', [known.set.uuid]);
    return known.set;
  }
  const { labelType, position: startPosition, sort } = options;
  const warehouseSort = sort === undefined ? null : (sort ?? 'none');
  const row = { uuid: randomUUID(), accountId, contentHash, shipmentIds, labelType, startPosition };
  await labelSets.insert(db, { ...row, warehouseSort }, { replacing: ['accountId'] });
  const made = await find();
  if (made === null) throw new Error('the label set is missing right after its insertion');
  return made.set;
}

/** The set of an address, in any account: the address is unguessable, and its holder may print. */
export async function findLabelSet(db: Executor, uuid: string): Promise<LabelSet | null> {
  return await labelSets.findOne(db, SET, { uuid, accountId: undefined });
}

/** The account's sets of these uuids, by uuid. */
export async function mapLabelSets(
  db: Executor,
  args: { accountId: number; uuids: readonly string[] },
): Promise<Map<string, LabelSet>> {
  const sets = await SET.select(
    db,
    `FROM label_sets WHERE account_id = ? AND uuid IN (${placeholders(args.uuids.length)})`,
    [args.accountId, ...args.uuids],
  );
  return new Map(sets.map((set) => [set.uuid, set]));
}

/** Records the printing time on the account's shipments. Only the first counts. */
export async function markLabelled(
  db: Executor,
  args: { accountId: number; shipmentIds: readonly number[]; at: string },
): Promise<void> {
  await db.run(
    `UPDATE shipments SET label_generated = TRUE, ready_at = COALESCE(ready_at, ?), updated_at = ?
     WHERE account_id = ? AND id IN (${placeholders(args.shipmentIds.length)}) AND label_generated = FALSE`,
    [isoToSql(args.at), isoToSql(args.at), args.accountId, ...args.shipmentIds],
  );
}

/**
 * The carrier's label of the account's shipment; null when it is not fetched yet. `uuid` is in its address and names it
 * in the store.
 */
export async function findCarrierLabel(db: Executor, args: { accountId: number; shipmentId: number }) {
  return await carrierLabels.findOne(db, carrierLabels.pick('uuid', 'bytes'), args);
}

/** The tracking code of the stored label's shipment; null when there is no such label. */
export async function findCarrierLabelCode(db: Executor, uuid: string) {
  return await shape({ trackingCode: shipments.as('s').trackingCode }).first(
    db,
    'FROM carrier_labels l JOIN shipments s ON s.id = l.shipment_id WHERE l.uuid = ?',
    [uuid],
  );
}

/** Stores a shipment's label unless it has one. */
export async function insertCarrierLabel(
  db: Executor,
  label: { uuid: string; accountId: number; shipmentId: number; bytes: number },
): Promise<void> {
  await carrierLabels.insert(db, label, { replacing: ['shipmentId'] });
}

function toType(value: string | null): LabelType | null {
  return value === 'A4' || value === 'thermal' ? value : null;
}

function toSort(value: string | null): WarehouseSort | undefined {
  if (value === 'none') return null;
  return value === 'asc' || value === 'desc' ? value : undefined;
}
