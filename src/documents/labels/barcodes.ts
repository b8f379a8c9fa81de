import bwip from 'bwip-js/node';
import { encode } from 'uqr';

/** A printer of 203 dots an inch has eight dots a millimetre: modules of whole dots stay sharp on it. */
const DOT_MM = 0.125;
/** Light margin that a reader needs on each side of a Code 128, in modules. */
export const QUIET_MODULES = 10;
/** Readers of two-dimensional symbols gain nothing from larger cells. */
const LARGEST_CELL_MM = 4 * DOT_MM;
/** Chromium rounds the box of an image to whole CSS pixels, and would stretch what is in it. */
const PIXEL_MM = 25.4 / 96;

/** Readers take any mask; to look for the best of the eight takes three times as long as all the rest. */
const QR_OPTIONS = { ecc: 'M', boostEcc: false, maskPattern: 2, border: 0 } as const;

/**
 * Widths of a module in millimetres, the widest first. Thermal printers: four, three and two dots of 203 an inch.
 * Sheets come from printers of 300 and 600 dots an inch, and are copied and scanned: four dots of 300, then 0.3 mm.
 */
export const MODULE_WIDTHS_MM = {
  thermal: [0.5, 0.375, 0.25],
  A4: [0.5, 0.375, (25.4 / 300) * 4, 0.3, 0.25],
} as const;

/** A symbol as SVG, with its printed size without light margins. */
export interface Symbol {
  svg: string;
  widthMm: number;
  heightMm: number;
}

/** The room of a Code 128. */
export interface BarRoom {
  /** Light margins included. */
  maxWidthMm: number;
  heightMm: number;
  /** Widths of a module to choose from, the widest first. */
  moduleWidthsMm: readonly number[];
}

/** A text that a barcode of ours can hold: visible ASCII. */
export function isBarcodeText(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text);
}

/**
 * The text as Code 128 with the widest module that fits with its light margins; where none does, as wide as there is
 * room. Digits are encoded in pairs. Null when the text cannot be encoded.
 */
export function code128(text: string, room: BarRoom): Symbol | null {
  if (!isBarcodeText(text)) return null;
  const [symbol] = bwip.raw('code128', text);
  if (symbol === undefined || !('sbs' in symbol)) return null;
  const widths = symbol.sbs;
  const modules = widths.reduce((sum, width) => sum + width, 0);
  const widest = room.maxWidthMm / (modules + 2 * QUIET_MODULES);
  const moduleMm = room.moduleWidthsMm.find((width) => width <= widest) ?? widest;
  let x = 0;
  let path = '';
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  return drawing(path, {
    widthMm: modules * moduleMm,
    heightMm: room.heightMm,
    unitMm: { x: moduleMm, y: room.heightMm },
  });
}

/** The text as a QR code (level M) that fits into `maxMm`, without the light margin, which the caller leaves. */
export function qrCode(text: string, maxMm: number): Symbol {
  const { path, modules } = cells('qrcode', text, qrCells);
  const moduleMm = wholeDots(maxMm / modules);
  return square(path, modules, moduleMm > 0 ? moduleMm : maxMm / modules);
}

/**
 * The text as a DataMatrix that fits into `maxMm`, or larger where its cells would have fewer than `leastDots` of 203
 * an inch. Without the light margin. Null when the text cannot be encoded.
 */
export function dataMatrix(
  text: string,
  { maxMm, leastDots }: { maxMm: number; leastDots: number },
): Symbol | null {
  if (!isBarcodeText(text)) return null;
  const { path, modules } = cells('datamatrix', text, dataMatrixCells);
  const cellMm = Math.min(LARGEST_CELL_MM, wholeDots(maxMm / modules));
  return square(path, modules, Math.max(leastDots * DOT_MM, cellMm));
}

function wholeDots(mm: number): number {
  return Math.floor(mm / DOT_MM + 1e-6) * DOT_MM;
}

function square(path: string, modules: number, moduleMm: number): Symbol {
  const sideMm = modules * moduleMm;
  return drawing(path, { widthMm: sideMm, heightMm: sideMm, unitMm: { x: moduleMm, y: moduleMm } });
}

/** The cells of a square symbol, row by row; true is dark. */
type Cells = readonly (readonly boolean[])[];

/** By uqr, which takes a tenth of the time that bwip takes for this symbol: most of what a label cost a worker. */
function qrCells(text: string): Cells {
  return encode(text, QR_OPTIONS).data;
}

function dataMatrixCells(text: string): Cells {
  const [symbol] = bwip.raw('datamatrix', text);
  if (symbol === undefined || !('pixs' in symbol)) throw new Error('the text does not fit into a DataMatrix');
  const { pixs, pixx: side } = symbol;
  return Array.from({ length: side }, (_, y) =>
    pixs.slice(y * side, (y + 1) * side).map((cell) => cell === 1),
  );
}

/** Packages of a shipment share a code, and a label that is printed again has the same. */
const drawn = new Map<string, { path: string; modules: number }>();
const MAX_DRAWN = 1000;

function cells(
  kind: string,
  text: string,
  encoded: (text: string) => Cells,
): { path: string; modules: number } {
  const key = `${kind} ${text}`;
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const rows = encoded(text);
  const made = { path: rows.map(rowPath).join(''), modules: rows.length };
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(key, made);
  return made;
}

/** Runs of dark modules as rectangles of a path. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  let x = 0;
  while (x < row.length) {
    if (row[x] !== true) {
      x += 1;
      continue;
    }
    const start = x;
    while (row[x] === true) x += 1;
    path += `M${start} ${y}h${x - start}v1h-${x - start}z`;
  }
  return path;
}

/** The path in a box of whole CSS pixels, whose units keep their size in millimetres. */
function drawing(
  path: string,
  size: { widthMm: number; heightMm: number; unitMm: { x: number; y: number } },
): Symbol {
  const { widthMm, heightMm, unitMm } = size;
  const wide = Math.ceil(widthMm / PIXEL_MM);
  const high = Math.ceil(heightMm / PIXEL_MM);
  const box = `${round((wide * PIXEL_MM) / unitMm.x)} ${round((high * PIXEL_MM) / unitMm.y)}`;
  const svg = `<svg style="width:${wide}px;height:${high}px" viewBox="0 0 ${box}" preserveAspectRatio="none" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
  return { svg, widthMm: round(widthMm), heightMm: round(heightMm) };
}

function round(value: number): number {
  return Math.round(value * 100_000) / 100_000;
}
