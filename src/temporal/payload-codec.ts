import {
  METADATA_ENCODING_KEY,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadEncryption } from '../config/config.js';
import { decryptBytes, encrypt } from '../lib/secrets.js';
import { PAYLOAD_ENCODINGS } from './converters.js';

const KEY_ID = 'encryption-key-id';
const OWNER = 'owner';
/** Owner of what a person encrypts at the codec endpoint, which does not know for which run. */
const ANY_RUN = '*';
/** A Schedule adds its time to the workflow id of the runs that it starts. */
const SCHEDULED_AT = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A payload that cannot be decrypted: its key is missing, or it was changed. Names the key, never its bytes. */
export class UnreadablePayload extends Error {
  override readonly name = 'UnreadablePayload';
}

/** Whether what the engine keeps could not be read here, for want of a key or because it may not be used. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof UnreadablePayload || error instanceof ValueError;
}

/** Hears of each payload that is refused: the id of the run that met it, empty outside of runs, and the reason. */
export type OnRefused = (workflowId: string, reason: string) => void;

/**
 * Encrypts workflow payloads with AES-256-GCM, so that the engine stores no readable personal data, and binds each to
 * the workflow id that owns it, so that it cannot be read through another run.
 *
 * A payload that cannot be read throws: the workflow task is tried again until a process has the key. What may not be used, a
 * payload in clear or of another owner, becomes one of the encoding `refused`, for which the payload converter throws:
 * so an Update is rejected and its run goes on, while other input of that kind stops the run.
 */
export class EncryptingCodec implements PayloadCodec {
  readonly #keys: PayloadEncryption['keys'];
  readonly #clear: PayloadEncryption['clear'];
  readonly #writesWith: string;
  readonly #onRefused: OnRefused;

  constructor({ keys, clear }: PayloadEncryption, onRefused: OnRefused = () => {}) {
    this.#onRefused = onRefused;
    this.#keys = keys;
    this.#clear = clear;
    this.#writesWith = [...keys.keys()][0] ?? '';
  }

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypted(payload, ownerOf(context) ?? ''));
  }

  /** {@link encode} for input that every run accepts. */
  encodeForAnyRun(payloads: readonly Payload[]): Payload[] {
    return payloads.map((payload) => this.#encrypted(payload, ANY_RUN));
  }

  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => {
      if (!isEncrypted(payload)) return this.#clear === 'refuse' ? this.#refused(CLEAR, context) : payload;
      const { payload: plain, owner } = this.#decrypted(payload);
      const wanted = ownerOf(context);
      return wanted === undefined || owner === wanted || owner === ANY_RUN
        ? plain
        : this.#refused(FOREIGN, context);
    });
  }

  /** Decrypts for people: whatever the owner is, and payloads in clear as they are. @throws UnreadablePayload */
  reveal(payloads: readonly Payload[]): Payload[] {
    return payloads.map((payload) => (isEncrypted(payload) ? this.#decrypted(payload).payload : payload));
  }

  #refused(why: string, context: SerializationContext | undefined): Payload {
    this.#onRefused(context?.workflowId ?? '', why);
    return {
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(PAYLOAD_ENCODINGS.refused) },
      data: Buffer.from(why),
    };
  }

  #encrypted(payload: Payload, owner: string): Payload {
    if (this.#clear === 'write') return payload;
    const keyId = this.#writesWith;
    const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish();
    return {
      metadata: {
        [METADATA_ENCODING_KEY]: Buffer.from(PAYLOAD_ENCODINGS.encrypted),
        [KEY_ID]: Buffer.from(keyId),
        [OWNER]: Buffer.from(owner),
      },
      data: encrypt(plain, this.#keyOf(keyId), boundTo(keyId, owner)),
    };
  }

  #decrypted(payload: Payload): { payload: Payload; owner: string } {
    const [keyId, owner] = [textOf(payload, KEY_ID), textOf(payload, OWNER)];
    const key = this.#keyOf(keyId);
    try {
      const plain = decryptBytes(Buffer.from(payload.data ?? []), key, boundTo(keyId, owner));
      return { payload: proto.temporal.api.common.v1.Payload.decode(plain), owner };
    } catch {
      throw new UnreadablePayload(
        `A payload of the key ${nameOf(keyId)} cannot be decrypted: the key of that id is another one, or the payload ` +
          'was changed.',
      );
    }
  }

  #keyOf(keyId: string): Buffer {
    const key = this.#keys.get(keyId);
    if (key === undefined) {
      const known = [...this.#keys.keys()].join(', ') || 'none';
      throw new UnreadablePayload(
        `A payload of the key ${nameOf(keyId)} cannot be decrypted: TEMPORAL_PAYLOAD_KEY has ${known}.`,
      );
    }
    return key;
  }
}

const CLEAR =
  'This input is not encrypted, and TEMPORAL_PAYLOAD_CLEAR is "refuse". Decide with "admin resolve", or give the ' +
  'Temporal UI its codec endpoint, which encrypts what you enter. Payloads older than the key are read with "accept".';
const FOREIGN = 'This payload belongs to another run.';

/** Id of the key that a payload names, `clear` for one that is not encrypted. */
export function keyIdOf(payload: Payload): string {
  return isEncrypted(payload) ? textOf(payload, KEY_ID) : CLEAR_KEY_ID;
}

/** No id of a key ring. */
export const CLEAR_KEY_ID = '(clear)';

function isEncrypted(payload: Payload): boolean {
  return textOf(payload, METADATA_ENCODING_KEY) === PAYLOAD_ENCODINGS.encrypted;
}

/** All runs of a Schedule count as one owner: a run reads the result of the run before it. */
function ownerOf(context: SerializationContext | undefined): string | undefined {
  return context?.workflowId?.replace(SCHEDULED_AT, '');
}

function boundTo(keyId: string, owner: string): string {
  return `${keyId}\n${owner}`;
}

function textOf({ metadata }: Payload, name: string): string {
  const value = metadata?.[name];
  return value === undefined || value === null ? '' : Buffer.from(value).toString();
}

/** The id comes from the engine: nothing but what a key ring could hold is repeated. */
function nameOf(keyId: string): string {
  return /^[\w.-]{1,32}$/.test(keyId) ? keyId : 'without a valid id';
}
