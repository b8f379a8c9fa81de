import { createHmac, hkdfSync } from 'node:crypto';
import { decryptBytes, encrypt } from './secrets.js';

const KEY_BYTES = 32;

/** Purposes of keys. Each purpose has its keys, so that nothing sealed for one is taken for another. */
const PURPOSES = [
  'app secret',
  'carrier settings',
  'client secret',
  'cursor',
  'invitation',
  'key check',
  'lasting key',
  'panel form',
  'provider sign-in',
  'recovery code',
  'session',
  'store frame',
  'totp secret',
  'webhook secret',
] as const;

export type Purpose = (typeof PURPOSES)[number];

/** A sealed value that cannot be opened: its key is missing here, or it was changed. Names the key, never its bytes. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';

  constructor(
    message: string,
    /** This process lacks the key; another one may have it. */
    readonly isKeyMissing: boolean,
  ) {
    super(message);
  }
}

/** A key for one purpose, 32 bytes, derived from a secret of 32 random bytes. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `parcelworks/${purpose}/v1`, KEY_BYTES));
}

/**
 * The ring of `APP_KEY`: the first key seals and hashes, each opens and recognizes. What is stored begins with the id of
 * its key: one byte with the id's length, then the id.
 */
export class AppKeys {
  /** Ids in the order of the ring. */
  readonly ids: readonly string[];
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, Buffer>>;

  /** `ring`: keys of 32 bytes by id. */
  constructor(ring: ReadonlyMap<string, Buffer>) {
    this.ids = [...ring.keys()];
    this.#keys = new Map(
      [...ring].map(([id, key]) => [id, new Map(PURPOSES.map((one) => [one, deriveKey(key, one)]))]),
    );
  }

  /** Id of the key that seals. */
  get first(): string {
    return this.ids[0] ?? '';
  }

  /** Encrypts with the first key: its id, then the output of {@link encrypt}. */
  seal(purpose: Purpose, plain: Uint8Array | string): Buffer {
    return this.sealWith(this.first, purpose, plain);
  }

  /** {@link seal} with one of the others. */
  sealWith(id: string, purpose: Purpose, plain: Uint8Array | string): Buffer {
    const header = headerOf(id);
    return Buffer.concat([header, encrypt(plain, this.#key(id, purpose), header.toString('latin1'))]);
  }

  /** The reverse of {@link seal}. @throws UnreadableSecret */
  open(purpose: Purpose, sealed: Buffer): Buffer {
    const id = keyIdOf(sealed);
    const header = headerOf(id);
    const key = this.#key(id, purpose);
    try {
      return decryptBytes(sealed.subarray(header.length), key, header.toString('latin1'));
    } catch {
      throw new UnreadableSecret(
        `APP_KEY: its key ${nameOf(id)} is not the one of that id that sealed this ${purpose}, or the value was changed.`,
        false,
      );
    }
  }

  /** {@link open} as UTF-8 text. */
  openText(purpose: Purpose, sealed: Buffer): string {
    return this.open(purpose, sealed).toString('utf8');
  }

  /** A sealed value under the first key; the same one where it is so already. @throws UnreadableSecret */
  renew(purpose: Purpose, sealed: Buffer): Buffer {
    return keyIdOf(sealed) === this.first ? sealed : this.seal(purpose, this.open(purpose, sealed));
  }

  /**
   * Keyed hashes of a text by which a row is found, one a key, the first key's first: its id, then 32 bytes. They cannot
   * be brought under another key without the text.
   */
  hashes(purpose: Purpose, text: string): readonly [Buffer, ...Buffer[]] {
    const hashOf = (id: string) => Buffer.concat([headerOf(id), this.#mac(id, purpose, text)]);
    return [hashOf(this.first), ...this.ids.slice(1).map(hashOf)];
  }

  /** Keyed SHA-256, one a key, the first key's first. */
  macs(purpose: Purpose, data: Uint8Array): readonly [Buffer, ...Buffer[]] {
    const macOf = (id: string) => this.#mac(id, purpose, data);
    return [macOf(this.first), ...this.ids.slice(1).map(macOf)];
  }

  #mac(id: string, purpose: Purpose, data: Uint8Array | string): Buffer {
    return createHmac('sha256', this.#key(id, purpose)).update(data).digest();
  }

  #key(id: string, purpose: Purpose): Buffer {
    const key = this.#keys.get(id)?.get(purpose);
    if (key === undefined) {
      throw new UnreadableSecret(
        `APP_KEY: the key ${nameOf(id)}, which sealed this ${purpose}, is missing; it has ${this.ids.join(', ')}.`,
        isKeyId(id),
      );
    }
    return key;
  }
}

/** Id of the key of what is stored; empty for what has none. Needs the first 33 bytes alone. */
export function keyIdOf(stored: Buffer): string {
  return stored.subarray(1, 1 + (stored[0] ?? 0)).toString('latin1');
}

function headerOf(id: string): Buffer {
  return Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1')]);
}

/** Stored ids may have been changed: nothing but what a ring can hold is repeated. */
function nameOf(id: string): string {
  return isKeyId(id) ? id : 'without a valid id';
}

function isKeyId(id: string): boolean {
  return /^[\w.-]{1,32}$/.test(id);
}
