import bwip from 'bwip-js/node';
import { encode } from 'uqr';
import { type Cells, outlines } from './outlines.js';

/** One dot at 203 dpi, eight per millimeter: modules of whole dots print sharp. */
const DOT_MM = 0.125;
/** Light margin on each side of a Code 128, in modules. */
const QUIET_MODULES = 10;
/** Larger cells do not help readers of two-dimensional symbols. */
const LARGEST_CELL_MM = 4 * DOT_MM;
/** Chromium rounds an image's box to whole CSS pixels and would stretch the image. */
const PIXEL_MM = 25.4 / 96;

/** A fixed mask: readers take any, and searching the best takes three times as long as the rest. */
const QR_OPTIONS = { ecc: 'M', boostEcc: false, maskPattern: 2, border: 0 } as const;

/**
 * Module widths in millimeters, widest first. Thermal printers: 4, 3 and 2 dots at 203 dpi. Sheets (300 or 600
 * dpi, copied and scanned): 4 dots at 300 dpi, then 0.3 mm.
 */
export const MODULE_WIDTHS_MM = {
  thermal: [0.5, 0.375, 0.25],
  A4: [0.5, 0.375, (25.4 / 300) * 4, 0.3, 0.25],
} as const;

/** A symbol as SVG; its printed size excludes light margins. */
interface Symbol {
  svg: string;
  widthMm: number;
  heightMm: number;
}

/** The room for a Code 128. */
export interface BarRoom {
  /** Includes the light margins. */
  maxWidthMm: number;
  heightMm: number;
  /** Module widths to choose from, widest first. */
  moduleWidthsMm: readonly number[];
}

/** Whether our barcodes can hold the text: visible ASCII. */
export function isBarcodeText(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text);
}

/**
 * Encodes the text as Code 128 with the widest module that fits, or narrower than all if none does. Digits are
 * encoded in pairs. Null when the text cannot be encoded.
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

/** Encodes the text as a QR code (level M) within `maxMm`. The caller leaves the light margin. */
export function qrCode(text: string, maxMm: number): Symbol {
  const { path, modules } = cells('qrcode', text, qrCells);
  const moduleMm = wholeDots(maxMm / modules);
  return square(path, modules, moduleMm > 0 ? moduleMm : maxMm / modules);
}

/**
 * Encodes the text as a DataMatrix within `maxMm`, or larger so that its cells have at least `leastDots` dots
 * at 203 dpi. The light margin is excluded. Null when the text cannot be encoded.
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

/** Uses uqr, ten times as fast as bwip here; QR codes were most of a label's cost. */
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

/** A shipment's packages share a code, and reprints repeat it. */
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
  const made = { path: outlines(rows), modules: rows.length };
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(key, made);
  return made;
}

/** Puts the path into a box of whole CSS pixels; its units stay millimeters. */
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
