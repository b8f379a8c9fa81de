import { TextDecoder } from 'node:util';

const decoder = new TextDecoder('windows-1255');
const byteOf = new Map<string, number>(
  Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
);

/** Encodes text as windows-1255; missing characters become question marks. */
export function encodeWindows1255(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text), (character) => byteOf.get(character) ?? 0x3f);
}
