import { crc32, deflateSync } from 'node:zlib';

/** Where each sandbox serves the demo shop's logo. */
export const LOGO_PATH = '/__logo.png';

const SIZE = 96;
const BLUE = [0x0b, 0x5c, 0xad, 0xff];
const WHITE = [0xff, 0xff, 0xff, 0xff];
const HALF = SIZE / 2;

/** A white parcel, seen from a corner, on blue. */
function pixel(x: number, y: number): readonly number[] {
  const fromCenter = Math.abs(x - HALF) + Math.abs(y - HALF);
  const isEdge = fromCenter > 30 && fromCenter < 37;
  const isFold = y > HALF && Math.abs(x - HALF) < 3 && fromCenter < 37;
  const isLid = Math.abs(y - HALF) < 3 && fromCenter < 37;
  return isEdge || isFold || isLid ? WHITE : BLUE;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'ascii'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The demo shop's logo, a PNG: labels and mails show no SVG. */
export function demoLogo(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits a channel, red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: SIZE }, (_row, y) => [
    0,
    ...Array.from({ length: SIZE }, (_pixel, x) => pixel(x, y)).flat(),
  ]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
