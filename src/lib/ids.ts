import { createHash, randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Random Crockford base-32 characters, five bits each. */
export function randomCrockford(length: number): string {
  return Array.from(randomBytes(length), (byte) => CROCKFORD.charAt(byte & 31)).join('');
}

/** The parcel's code on its tracking page; fills its column. */
export function newShortTrackingCode(): string {
  return randomCrockford(10);
}

const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the text is a UUID version 4 of `randomUUID`. */
export function isRandomUuid(text: string): boolean {
  return RANDOM_UUID.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is a UUID as we write them, of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID version 8 (RFC 9562) of a text: the same for the same text. */
export function uuidOfText(text: string): string {
  const bytes = createHash('sha256').update(text, 'utf8').digest().subarray(0, 16);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  return uuidOf(bytes);
}

export function timeOfUuidV7(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16));
}

/** A UUID version 7 (RFC 9562), which sorts by creation time in milliseconds. */
export function uuidV7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
