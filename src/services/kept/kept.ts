import {
  countAddresses,
  deleteAddress,
  type KeptAddress,
  keepAddress as storeAddress,
} from '../../db/queries/kept/addresses.js';
import {
  deletePreset,
  listPresets,
  type ParcelPreset,
  keepPreset as storePreset,
} from '../../db/queries/kept/presets.js';
import { AppError, validationError } from '../../domain/errors.js';
import { type FieldErrors, problem, problemAt } from '../../domain/problems/problem.js';
import { LIMITS } from '../../lib/limits/values.js';
import { withoutMarks } from '../../lib/sent-text.js';
import type { App } from '../app.js';

type KeptApp = Pick<App, 'db'>;

/** The fields of a shipment that an address fills in, with the longest text of each. */
export const ADDRESS_FIELDS = {
  contact_name: ['name', 255],
  contact_phone: ['phone', 32],
  contact_mail: ['email', 255],
  street: ['street', 255],
  number: ['number', 32],
  entrance: ['entrance', 32],
  floor: ['floor', 32],
  apartment: ['apartment', 32],
  city: ['city', 255],
} as const satisfies Record<string, readonly [keyof KeptAddress, number]>;

/** An address as the fields of a shipment. */
export function addressFields(address: KeptAddress): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ADDRESS_FIELDS).map(([field, [column]]) => [field, address[column]]),
  );
}

/**
 * Keeps the address of these fields for the account; the person's earlier one is replaced.
 * @throws AppError `validation_failed` where name or phone is missing, a text is too long, or the account has too many
 */
export async function keepAddress(
  { db }: KeptApp,
  accountId: number,
  fields: Readonly<Partial<Record<string, string>>>,
): Promise<void> {
  const faults: FieldErrors = {};
  const read = (field: keyof typeof ADDRESS_FIELDS, isRequired = false): string => {
    const [, most] = ADDRESS_FIELDS[field];
    const text = withoutMarks(fields[field] ?? '');
    if (isRequired && text === '') faults[field] = [problemAt(field, 'required')];
    if (text.length > most) faults[field] = [problemAt(field, 'max_length', { limit: most })];
    return text;
  };
  const address = {
    name: read('contact_name', true),
    phone: read('contact_phone', true),
    email: read('contact_mail'),
    street: read('street'),
    number: read('number'),
    entrance: read('entrance'),
    floor: read('floor'),
    apartment: read('apartment'),
    city: read('city'),
  };
  refuse(faults);
  if ((await countAddresses(db, accountId)) >= LIMITS.kept.addresses) {
    throw new AppError('validation_failed', problem('most_addresses', { limit: LIMITS.kept.addresses }));
  }
  await storeAddress(db, accountId, address);
}

/** Removes an address of the account; nothing where it has none with this row id. */
export async function removeAddress({ db }: KeptApp, accountId: number, id: number): Promise<void> {
  await deleteAddress(db, { accountId, id });
}

/**
 * Keeps a preset of parcels under its name.
 * @throws AppError `validation_failed` for a field that is missing or out of bounds, or where the account has too many
 */
export async function keepPreset(
  { db }: KeptApp,
  accountId: number,
  preset: Omit<ParcelPreset, 'id'>,
): Promise<void> {
  const name = withoutMarks(preset.name);
  const { packages, note } = preset;
  const isWhole = Number.isInteger(packages) && packages >= 1 && packages <= 99;
  refuse({
    ...(name === '' ? { preset_name: [problemAt('preset_name', 'required')] } : {}),
    ...(name.length > 64 ? { preset_name: [problemAt('preset_name', 'max_length', { limit: 64 })] } : {}),
    ...(isWhole ? {} : { packages: [problemAt('packages', 'package_count')] }),
    ...(note.length > 1000 ? { note: [problemAt('note', 'max_length', { limit: 1000 })] } : {}),
  });
  const known = await listPresets(db, accountId);
  if (known.length >= LIMITS.kept.presets && !known.some((one) => one.name === name)) {
    throw new AppError('validation_failed', problem('most_presets', { limit: LIMITS.kept.presets }));
  }
  await storePreset(db, accountId, { ...preset, name });
}

/** Removes a preset of the account; nothing where it has none with this row id. */
export async function removePreset({ db }: KeptApp, accountId: number, id: number): Promise<void> {
  await deletePreset(db, { accountId, id });
}

function refuse(faults: FieldErrors): void {
  if (Object.keys(faults).length > 0) throw validationError(faults);
}
