import bwip from 'bwip-js/node';

/** A printer of 203 dots an inch has eight dots a millimetre: bars of whole dots stay sharp on it. */
const DOT_MM = 0.125;
/** Light margin that a reader needs on each side of a Code 128, in modules. */
const QUIET_MODULES = 10;
const WIDEST_MODULE_MM = 0.5;
/** Below two dots width counts for more than whole dots. */
const NARROWEST_WHOLE_MM = 2 * DOT_MM;

/** Readers take any mask; to look for the best of the eight takes three times as long as all the rest. */
const QR_OPTIONS = { eclevel: 'M', mask: 3 };

/** A symbol as SVG, with its printed size. */
export interface Symbol {
  svg: string;
  widthMm: number;
  heightMm: number;
}

/** A text that a Code 128 of ours can hold: visible ASCII. */
export function isBarcodeText(text: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(text);
}

/**
 * The text as Code 128, as wide as fits into `maxWidthMm` with its light margins, in whole printer dots a module where
 * it fits so. Null when the text cannot be encoded.
 */
export function code128(text: string, size: { maxWidthMm: number; heightMm: number }): Symbol | null {
  if (!isBarcodeText(text)) return null;
  const [symbol] = bwip.raw('code128', text);
  if (symbol === undefined || !('sbs' in symbol)) return null;
  const widths = symbol.sbs;
  const modules = widths.reduce((sum, width) => sum + width, 0);
  const room = size.maxWidthMm / (modules + 2 * QUIET_MODULES);
  const whole = Math.min(WIDEST_MODULE_MM, Math.floor(room / DOT_MM) * DOT_MM);
  const moduleMm = whole < NARROWEST_WHOLE_MM ? room : whole;
  let x = 0;
  let path = '';
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  const widthMm = round(modules * moduleMm);
  return {
    svg: svg(path, { modulesWide: modules, modulesHigh: 1, widthMm, heightMm: size.heightMm }),
    widthMm,
    heightMm: size.heightMm,
  };
}

/** The text as a QR code (level M) that fits into `maxMm`, without the light margin, which the caller leaves. */
export function qrCode(text: string, maxMm: number): Symbol {
  const { path, modules } = qrModules(text);
  const fit = Math.floor(maxMm / modules / DOT_MM) * DOT_MM;
  const sideMm = round(fit > 0 ? fit * modules : maxMm);
  return {
    svg: svg(path, { modulesWide: modules, modulesHigh: modules, widthMm: sideMm, heightMm: sideMm }),
    widthMm: sideMm,
    heightMm: sideMm,
  };
}

/** Packages of a shipment share a code, and a label that is printed again has the same. */
const drawn = new Map<string, { path: string; modules: number }>();
const MAX_DRAWN = 1000;

function qrModules(text: string): { path: string; modules: number } {
  const known = drawn.get(text);
  if (known !== undefined) return known;
  const [symbol] = bwip.raw({ bcid: 'qrcode', text, ...QR_OPTIONS });
  if (symbol === undefined || !('pixs' in symbol)) throw new Error('the text does not fit into a QR code');
  const made = { path: qrPath(symbol.pixs, symbol.pixx), modules: symbol.pixx };
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(text, made);
  return made;
}

/** Runs of dark modules, row by row, as rectangles of one path. */
function qrPath(pixels: readonly number[], side: number): string {
  let path = '';
  for (let y = 0; y < side; y += 1) {
    let x = 0;
    while (x < side) {
      if (pixels[y * side + x] !== 1) {
        x += 1;
        continue;
      }
      const start = x;
      while (x < side && pixels[y * side + x] === 1) x += 1;
      path += `M${start} ${y}h${x - start}v1h-${x - start}z`;
    }
  }
  return path;
}

function svg(
  path: string,
  size: { modulesWide: number; modulesHigh: number; widthMm: number; heightMm: number },
): string {
  const { modulesWide, modulesHigh, widthMm, heightMm } = size;
  return `<svg style="width:${widthMm}mm;height:${heightMm}mm" viewBox="0 0 ${modulesWide} ${modulesHigh}" preserveAspectRatio="none" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}

function round(mm: number): number {
  return Math.round(mm * 1000) / 1000;
}
