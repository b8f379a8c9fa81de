import {
  countAddresses,
  type KeptAddress,
  keepAddress as storeAddress,
} from '../../db/queries/kept/addresses.js';
import { listPresets, type ParcelPreset, keepPreset as storePreset } from '../../db/queries/kept/presets.js';
import { AppError, type FieldErrors } from '../../domain/errors.js';
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
    if (isRequired && text === '') faults[field] = [`The ${field} field is required.`];
    if (text.length > most) faults[field] = [`The ${field} field may not have more than ${most} characters.`];
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
    throw new AppError('validation_failed', `An account keeps at most ${LIMITS.kept.addresses} addresses.`);
  }
  await storeAddress(db, accountId, address);
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
    ...(name === '' ? { preset_name: ['The preset_name field is required.'] } : {}),
    ...(name.length > 64
      ? { preset_name: ['The preset_name field may not have more than 64 characters.'] }
      : {}),
    ...(isWhole ? {} : { packages: ['The packages field must be a whole number from 1 to 99.'] }),
    ...(note.length > 1000 ? { note: ['The note field may not have more than 1000 characters.'] } : {}),
  });
  const known = await listPresets(db, accountId);
  if (known.length >= LIMITS.kept.presets && !known.some((one) => one.name === name)) {
    throw new AppError('validation_failed', `An account keeps at most ${LIMITS.kept.presets} presets.`);
  }
  await storePreset(db, accountId, { ...preset, name });
}

function refuse(faults: FieldErrors): void {
  const [first] = Object.values(faults);
  if (first !== undefined) throw new AppError('validation_failed', first[0] ?? '', { fields: faults });
}
