import { phoneKey } from '../../../domain/phone.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { keptAddresses } from '../../tables/index.js';
import { contains, patternOf } from '../keyset.js';

const a = keptAddresses.as('kept_addresses');
const ADDRESS = shape({
  id: a.id,
  name: a.name,
  phone: a.phone,
  email: a.email,
  street: a.street,
  number: a.number,
  entrance: a.entrance,
  floor: a.floor,
  apartment: a.apartment,
  city: a.city,
});

/** An address that people of an account have kept. Empty texts are unknown. */
export type KeptAddress = Selected<typeof ADDRESS>;
const PLACE = ['email', 'street', 'number', 'entrance', 'floor', 'apartment', 'city'] as const;
type NewAddress = Omit<KeptAddress, 'id'>;

/** Keeps an address; a person, by name and phone, has one. */
export async function keepAddress(
  db: Executor,
  accountId: number,
  { name, phone, ...place }: NewAddress,
): Promise<void> {
  const person = { accountId, name, phone, phoneKey: phoneKey(phone) };
  await keptAddresses.insert(db, { ...person, ...place }, { replacing: ['phone', ...PLACE] });
}

/** How many addresses an account has kept. */
export async function countAddresses(db: Executor, accountId: number): Promise<number> {
  const counted = shape({ addresses: expression('COUNT(*)', int) });
  const found = await counted.first(db, `FROM kept_addresses WHERE ${a.accountId} = ?`, [accountId]);
  return found?.addresses ?? 0;
}

/** An account's addresses whose name or city holds the text, or whose phone does; all where it is empty. By name. */
export async function findAddresses(
  db: Executor,
  { accountId, text, limit }: { accountId: number; text: string; limit: number },
): Promise<KeptAddress[]> {
  const held = patternOf(text);
  const digits = phoneKey(text);
  const phone = digits.length < 3 ? [] : [patternOf(digits)];
  const where = [contains(`${a.name}`), contains(`${a.city}`), ...phone.map(() => `${a.phoneKey} LIKE ?`)];
  return await ADDRESS.select(
    db,
    `FROM kept_addresses WHERE ${a.accountId} = ? AND (${where.join(' OR ')}) ORDER BY ${a.name}, ${a.id} LIMIT ?`,
    [accountId, held, held, ...phone, limit],
  );
}

/** An address of the account; null when there is none. */
export async function findAddress(
  db: Executor,
  { accountId, id }: { accountId: number; id: number },
): Promise<KeptAddress | null> {
  return await keptAddresses.findOne(db, ADDRESS, { accountId, id });
}

export async function deleteAddress(
  db: Executor,
  { accountId, id }: { accountId: number; id: number },
): Promise<void> {
  await db.run('DELETE FROM kept_addresses WHERE account_id = ? AND id = ?', [accountId, id]);
}
