import { crc32, deflateSync } from 'node:zlib';

/** Paths of the demo shops' logos on each sandbox. */
export const LOGO_PATHS = { demo: '/__logo.png', second: '/__logo-second.png' } as const;

const SIZE = 96;
const HALF = SIZE / 2;
const WHITE = [0xff, 0xff, 0xff, 0xff];

/** A logo: background color and white shape. */
interface Drawing {
  readonly ground: readonly number[];
  isWhite(x: number, y: number): boolean;
}

/** A parcel seen from a corner, on blue. */
const PARCEL: Drawing = {
  ground: [0x0b, 0x5c, 0xad, 0xff],
  isWhite(x, y) {
    const fromCenter = Math.abs(x - HALF) + Math.abs(y - HALF);
    const isEdge = fromCenter > 30 && fromCenter < 37;
    const isFold = y > HALF && Math.abs(x - HALF) < 3 && fromCenter < 37;
    const isLid = Math.abs(y - HALF) < 3 && fromCenter < 37;
    return isEdge || isFold || isLid;
  },
};

/** A shop with an awning and a door, on green. */
const STORE: Drawing = {
  ground: [0x1b, 0x7a, 0x4b, 0xff],
  isWhite(x, y) {
    const fromMiddle = Math.abs(x - HALF);
    const isAwning = y >= 22 && y < 42 && fromMiddle < 22 + (y - 22) / 2;
    const isStripe = y >= 26 && Math.floor((x + 4) / 8) % 2 === 0;
    const isHouse = y >= 42 && y < 76 && fromMiddle < 28;
    const isRoom = y >= 48 && y < 70 && fromMiddle < 22;
    const isDoor = y >= 54 && y < 76 && x >= 50 && x < 64;
    return (isAwning && !isStripe) || (isHouse && !isRoom) || isDoor;
  },
};

const DRAWINGS = new Map<string, Drawing>([
  [LOGO_PATHS.demo, PARCEL],
  [LOGO_PATHS.second, STORE],
]);

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'ascii'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The logo at a path as PNG, because labels and mails show no SVG; null when there is none. */
export function logoAt(path: string): Buffer | null {
  const drawing = DRAWINGS.get(path);
  if (drawing === undefined) return null;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits per channel, RGBA.
  header.set([8, 6, 0, 0, 0], 8);
  const pixel = (x: number, y: number) => (drawing.isWhite(x, y) ? WHITE : drawing.ground);
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
