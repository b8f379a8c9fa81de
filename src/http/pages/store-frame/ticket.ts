import { LIMITS } from '../../../lib/limits/values.js';
import { decryptBytes, encrypt } from '../../../lib/secrets.js';

/** What the frame's addresses carry in place of the store's token, which opens the API and never ends. */
export interface Ticket {
  /** Row id of the token: who revokes it closes the frame. */
  tokenId: number;
  /** Host name of the store that shows the frame. */
  store: string;
}

/** Keeps what is sealed for others from being taken here. */
const SEALED_FOR = 'store frame';

/** A ticket as text for an address. It opens the frame for any holder until `LIMITS.panel.frameSeconds` are over. */
export function sealTicket({ tokenId, store }: Ticket, appKey: Buffer, atMs = Date.now()): string {
  const endsAt = atMs + LIMITS.panel.frameSeconds * 1000;
  return encrypt([tokenId, endsAt, store].join(' '), appKey, SEALED_FOR).toString('base64url');
}

/** The reverse of {@link sealTicket}; null for a text that is not ours, or too old. */
export function openTicket(sealed: string, appKey: Buffer, atMs = Date.now()): Ticket | null {
  const [tokenId = '', endsAt = '', store = ''] = textOf(sealed, appKey).split(' ');
  return Number(endsAt) > atMs ? { tokenId: Number(tokenId), store } : null;
}

function textOf(sealed: string, appKey: Buffer): string {
  try {
    return decryptBytes(Buffer.from(sealed, 'base64url'), appKey, SEALED_FOR).toString('utf8');
  } catch {
    return '';
  }
}
