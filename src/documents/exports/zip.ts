import { crc32 } from 'node:zlib';
import { ZipFile } from 'yazl';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
const UTF8_NAME = 0x0800;
const DEFLATED = 8;

/** An archive whose output fails when an input does; without this the process would end. */
export function zipFile(): ZipFile {
  const zip = new ZipFile();
  zip.once('error', (error: unknown) => zip.outputStream.emit('error', error));
  return zip;
}

/** A file to be archived: its deflated bytes (a whole stream, in pieces), and what checks them. */
export interface DeflatedFile {
  name: string;
  pieces: readonly Buffer[];
  crc: number;
  rawBytes: number;
}

/** An archive of one file of less than 4 GiB that is deflated already, so that nothing is compressed twice. */
export function zipOfDeflated(file: DeflatedFile, at = new Date()): Buffer {
  const name = Buffer.from(file.name);
  const deflatedBytes = file.pieces.reduce((sum, piece) => sum + piece.length, 0);
  const common = (header: Buffer, offset: number) => {
    header.writeUInt16LE(VERSION, offset);
    header.writeUInt16LE(UTF8_NAME, offset + 2);
    header.writeUInt16LE(DEFLATED, offset + 4);
    header.writeUInt32LE(dosTime(at), offset + 6);
    header.writeUInt32LE(file.crc, offset + 10);
    header.writeUInt32LE(deflatedBytes, offset + 14);
    header.writeUInt32LE(file.rawBytes, offset + 18);
    header.writeUInt16LE(name.length, offset + 22);
  };
  const local = Buffer.alloc(LOCAL_BYTES);
  local.writeUInt32LE(LOCAL_HEADER, 0);
  common(local, 4);
  const central = Buffer.alloc(CENTRAL_BYTES);
  central.writeUInt32LE(CENTRAL_HEADER, 0);
  central.writeUInt16LE(VERSION, 4);
  common(central, 6);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(CENTRAL_BYTES + name.length, 12);
  end.writeUInt32LE(LOCAL_BYTES + name.length + deflatedBytes, 16);
  return Buffer.concat([local, name, ...file.pieces, central, name, end]);
}

/** The checksum of all bytes so far and these. */
export function checksum(bytes: Buffer, sofar: number): number {
  return crc32(bytes, sofar);
}

/** Date and time as archives have it, in UTC: two seconds are the smallest step. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
