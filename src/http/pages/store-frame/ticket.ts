import type { AppKeys } from '../../../lib/app-keys.js';
import { LIMITS } from '../../../lib/limits/values.js';

/** Stands in the frame's addresses in place of the store's token, which opens the API and never ends. */
export interface Ticket {
  /** Row id of the token: who revokes it closes the frame. */
  tokenId: number;
  /** Host name of the store that shows the frame. */
  store: string;
}

/** A ticket as text for an address. It opens the frame for any holder until `LIMITS.panel.frameSeconds` are over. */
export function sealTicket({ tokenId, store }: Ticket, appKeys: AppKeys, atMs = Date.now()): string {
  const endsAt = atMs + LIMITS.panel.frameSeconds * 1000;
  return appKeys.seal('store frame', [tokenId, endsAt, store].join(' ')).toString('base64url');
}

/** The reverse of {@link sealTicket}; null for a text that is not ours, or too old. */
export function openTicket(sealed: string, appKeys: AppKeys, atMs = Date.now()): Ticket | null {
  const [tokenId = '', endsAt = '', store = ''] = textOf(sealed, appKeys).split(' ');
  return Number(endsAt) > atMs ? { tokenId: Number(tokenId), store } : null;
}

function textOf(sealed: string, appKeys: AppKeys): string {
  try {
    return appKeys.openText('store frame', Buffer.from(sealed, 'base64url'));
  } catch {
    return '';
  }
}
