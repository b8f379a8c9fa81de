import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Canvas, createCanvas, DOMMatrix, ImageData, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { PDFPageProxy } from 'pdfjs-dist';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// pdf.js uses the browser's drawing classes; these are the canvas's.
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D });

const POINTS_PER_INCH = 72;
const MM_PER_POINT = 25.4 / POINTS_PER_INCH;
const { getDocument, OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
const files = createRequire(import.meta.url);
const fonts = `${join(dirname(files.resolve('pdfjs-dist/package.json')), 'standard_fonts')}/`;
// Otherwise the reader would fetch its module from the net.
const { buffer: wasmBinary } = new Uint8Array(
  readFileSync(files.resolve('zxing-wasm/reader/zxing_reader.wasm')),
);
prepareZXingModule({ overrides: { wasmBinary } });

/** A PDF page as an independent reader sees it. */
export interface ReadPage {
  widthMm: number;
  heightMm: number;
  text: string;
  /** Names of the embedded fonts; `Type3` for unnamed ones. */
  fonts: string[];
  /** Number of missing glyphs. */
  missing: number;
  png(): Promise<Buffer>;
  /** Barcodes on the page; `oneBit` renders black and white at that resolution. */
  codes(oneBit?: { dpi: number }): Promise<FoundCode[]>;
}

/** A barcode: `Code128`, `QRCode` or `DataMatrix`. */
export interface FoundCode {
  format: string;
  text: string;
  /** Bounds in pixels. */
  box: { left: number; top: number; right: number; bottom: number };
}

const MIDDLE_GREY = 128;
const BLACK = 0xff000000;
const WHITE = 0xffffffff;

/** Labels are upright, and black and white needs no threshold. */
const AS_IT_LIES = {
  tryRotate: false,
  tryInvert: false,
  tryDownscale: false,
  binarizer: 'BoolCast',
} as const;

interface Drawing {
  canvas: Canvas | null;
  context: SKRSContext2D | null;
}

/** pdf.js brings another version of the canvas; mixing them crashes the process. */
class CanvasFactory {
  create(width: number, height: number): Drawing {
    const canvas = createCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }

  reset({ canvas }: Drawing, width: number, height: number): void {
    if (canvas !== null) Object.assign(canvas, { width, height });
  }

  destroy(drawing: Drawing): void {
    Object.assign(drawing, { canvas: null, context: null });
  }
}

/** Opens a PDF with pdf.js; pages are rendered at `dpi` on request. */
export async function readPdf(bytes: Uint8Array, dpi = 300): Promise<ReadPage[]> {
  const document = await getDocument({
    data: new Uint8Array(bytes),
    CanvasFactory,
    standardFontDataUrl: fonts,
    useSystemFonts: false,
    isEvalSupported: false,
    verbosity: 0,
  }).promise;
  const pages = Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1));
  return await Promise.all(
    pages.map(async (opening): Promise<ReadPage> => {
      const page = await opening;
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      const content = await page.getTextContent();
      const draw = async (dotsPerInch = dpi) => {
        const viewport = page.getViewport({ scale: dotsPerInch / POINTS_PER_INCH });
        const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
        await page.render({ canvasContext: canvas.getContext('2d') as never, viewport }).promise;
        return canvas;
      };
      return {
        widthMm: (right - left) * MM_PER_POINT,
        heightMm: (top - bottom) * MM_PER_POINT,
        ...(await fontsOf(page)),
        text: content.items.map((item) => ('str' in item ? item.str : '')).join(' '),
        png: async () => (await draw()).toBuffer('image/png'),
        async codes(oneBit) {
          const canvas = await draw(oneBit?.dpi);
          const { width, height } = canvas;
          // The canvas's own memory, because copying is slower than drawing. The page is opaque.
          const { buffer, byteOffset, byteLength } = canvas.data();
          if (oneBit !== undefined) toOneBit(new Uint32Array(buffer, byteOffset, width * height));
          const data = new Uint8ClampedArray(buffer, byteOffset, byteLength);
          const found = await readBarcodes(new ImageData(data, width, height) as never, {
            formats: ['Code128', 'QRCode', 'DataMatrix'],
            maxNumberOfSymbols: 64,
            tryHarder: true,
            ...(oneBit === undefined ? {} : AS_IT_LIES),
          });
          return found.map(({ format, text, position }) => ({
            format: String(format),
            text,
            box: boxOf(Object.values(position)),
          }));
        },
      };
    }),
  );
}

/** The fonts of a page and its number of missing glyphs. */
async function fontsOf(page: PDFPageProxy): Promise<{ fonts: string[]; missing: number }> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const fonts = new Set<string>();
  let font = { name: '', isType3Font: false };
  let missing = 0;
  for (const [index, operator] of fnArray.entries()) {
    const [first] = argsArray[index] ?? [];
    if (operator === OPS.setFont) {
      font = page.commonObjs.get(first);
      fonts.add(font.isType3Font ? 'Type3' : font.name);
    }
    // Type 3 fonts number their glyphs from 0.
    if (operator === OPS.showText && !font.isType3Font) {
      missing += first.filter((glyph: { originalCharCode?: number }) => glyph.originalCharCode === 0).length;
    }
  }
  return { fonts: [...fonts], missing };
}

/** Makes every pixel black or white, as label printers do. */
function toOneBit(pixels: Uint32Array): void {
  for (let at = 0; at < pixels.length; at += 1) {
    // Labels are grey: red, the lowest byte, suffices.
    pixels[at] = ((pixels[at] ?? 0) & 0xff) < MIDDLE_GREY ? BLACK : WHITE;
  }
}

function boxOf(corners: readonly unknown[]): FoundCode['box'] {
  const points = corners.filter(
    (corner): corner is { x: number; y: number } => Object(corner).x !== undefined,
  );
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
