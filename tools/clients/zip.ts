import { crc32, deflateRawSync } from 'node:zlib';

/** Midnight of 1980-01-01, which the format begins with: the same files give the same bytes. */
const DAY = 0x0021;
const UTF8 = 0x0800;
const DEFLATED = 8;

/** A zip of files by their paths in it. */
export function zipOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const listed: Buffer[] = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    const facts = [20, UTF8, DEFLATED, 0, DAY];
    const sizes = [crc32(bytes), packed.length, bytes.length];
    const local = Buffer.concat([
      words(0x04034b50),
      halves(...facts),
      words(...sizes),
      halves(name.length, 0),
      name,
    ]);
    listed.push(
      Buffer.concat([
        words(0x02014b50),
        halves(20, ...facts),
        words(...sizes),
        halves(name.length, 0, 0, 0, 0),
        words(0, at),
        name,
      ]),
    );
    bodies.push(local, packed);
    at += local.length + packed.length;
  }
  const list = Buffer.concat(listed);
  const end = [words(0x06054b50), halves(0, 0, files.size, files.size), words(list.length, at), halves(0)];
  return Buffer.concat([...bodies, list, ...end]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, 4 * index);
  });
  return bytes;
}

function halves(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => {
    bytes.writeUInt16LE(value, 2 * index);
  });
  return bytes;
}
