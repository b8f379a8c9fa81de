import { createHmac } from 'node:crypto';
import { deleteMailStop, hasMailStop, insertMailStop } from '../../db/queries/mails/mail-stops.js';
import { deriveKey } from '../../lib/app-keys.js';
import { keptLastingKey } from '../accounts/lasting-key.js';
import type { App } from '../app.js';

/** A recipient, as an account writes to them. */
interface Addressee {
  accountId: number;
  address: string;
}

/**
 * Who wants no mails of which account. Only a keyed hash of an address is kept: the list tells nobody's address, and
 * outlives the erasure of a person's data, who would be written to again otherwise.
 */
export function createStoppedMails({ db, config }: Pick<App<'appKeys'>, 'db' | 'config'>) {
  const lasting = keptLastingKey(db, config.appKeys);
  const rowOf = async ({ accountId, address }: Addressee) => ({
    accountId,
    addressHash: createHmac('sha256', deriveKey(await lasting(), 'stopped mails'))
      .update(address.trim().toLowerCase(), 'utf8')
      .digest(),
  });
  return {
    has: async (addressee: Addressee): Promise<boolean> => await hasMailStop(db, await rowOf(addressee)),
    stop: async (addressee: Addressee): Promise<void> => await insertMailStop(db, await rowOf(addressee)),
    resume: async (addressee: Addressee): Promise<void> => await deleteMailStop(db, await rowOf(addressee)),
  };
}
