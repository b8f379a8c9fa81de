import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { parcelPresets } from '../../tables/index.js';

const p = parcelPresets.as('parcel_presets');
const PRESET = shape({
  id: p.id,
  name: p.name,
  licenseId: p.licenseId,
  serviceType: p.serviceType,
  packages: p.packages,
  note: p.note,
});

/** Values that an account's people fill in at once. `licenseId`: null where any license fits. */
export type ParcelPreset = Selected<typeof PRESET>;

/** Keeps a preset in place of the one with its name. */
export async function keepPreset(
  db: Executor,
  accountId: number,
  preset: Omit<ParcelPreset, 'id'>,
): Promise<void> {
  const replacing = ['licenseId', 'serviceType', 'packages', 'note'] as const;
  await parcelPresets.insert(db, { accountId, ...preset }, { replacing });
}

/** An account's presets by name. */
export async function listPresets(db: Executor, accountId: number): Promise<ParcelPreset[]> {
  return await parcelPresets.find(db, PRESET, { accountId }, { order: ['name'] });
}

export async function deletePreset(
  db: Executor,
  { accountId, id }: { accountId: number; id: number },
): Promise<void> {
  await db.run('DELETE FROM parcel_presets WHERE account_id = ? AND id = ?', [accountId, id]);
}
