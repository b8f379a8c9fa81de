import type { Item } from './orders.js';

/** Values of a file's orders where the file says nothing. `type`: 1 a delivery, 2 a collection. */
export interface PresetValues {
  type: 1 | 2;
  packages: number;
  note: string;
}

/** Values that were stored; null for none. */
export function presetValuesOf(stored: Readonly<Record<string, unknown>> | null): PresetValues | null {
  if (stored === null) return null;
  const { type, packages, note } = stored;
  return { type: type === 2 ? 2 : 1, packages: Number(packages), note: String(note) };
}

/** The order with the preset's values where its file has none; a file names no type. */
export function withPreset(item: Item, preset: PresetValues | null): Item {
  if (preset === null) return item;
  const { type, packages, note } = preset;
  const usual = { packages, ...(note === '' ? {} : { note }) };
  return { ...item, ship_data: { ...usual, ...item.ship_data, type } };
}
