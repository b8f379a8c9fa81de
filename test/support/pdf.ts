import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Canvas, createCanvas, DOMMatrix, ImageData, Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

// pdf.js draws with the browser's own classes; these are the canvas's.
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D });

const POINTS_PER_INCH = 72;
const MM_PER_POINT = 25.4 / POINTS_PER_INCH;
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
const files = createRequire(import.meta.url);
const fonts = `${join(dirname(files.resolve('pdfjs-dist/package.json')), 'standard_fonts')}/`;
// The reader would fetch its module from the net.
const { buffer: wasmBinary } = new Uint8Array(
  readFileSync(files.resolve('zxing-wasm/reader/zxing_reader.wasm')),
);
prepareZXingModule({ overrides: { wasmBinary } });

/** A page of a PDF as another reader than the one that made it sees it. */
export interface ReadPage {
  widthMm: number;
  heightMm: number;
  text: string;
  /** The page as PNG, and the barcodes in it. */
  png(): Promise<Buffer>;
  codes(): Promise<{ format: string; text: string }[]>;
}

interface Drawing {
  canvas: Canvas | null;
  context: SKRSContext2D | null;
}

/** pdf.js brings another version of the canvas, and a page drawn with both ends the process. */
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

/** Opens a PDF with pdf.js; pages are rasterised at `dpi` when asked. */
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
      const draw = async () => {
        const viewport = page.getViewport({ scale: dpi / POINTS_PER_INCH });
        const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
        await page.render({ canvasContext: canvas.getContext('2d') as never, viewport }).promise;
        return canvas;
      };
      return {
        widthMm: (right - left) * MM_PER_POINT,
        heightMm: (top - bottom) * MM_PER_POINT,
        text: content.items.map((item) => ('str' in item ? item.str : '')).join(' '),
        png: async () => (await draw()).toBuffer('image/png'),
        async codes() {
          const canvas = await draw();
          const { width, height } = canvas;
          const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
          const found = await readBarcodes(new ImageData(data, width, height) as never, {
            formats: ['Code128', 'QRCode'],
            maxNumberOfSymbols: 64,
            tryHarder: true,
          });
          return found.map(({ format, text }) => ({ format: String(format), text }));
        },
      };
    }),
  );
}
