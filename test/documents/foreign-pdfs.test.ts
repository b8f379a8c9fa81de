import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { pdfOf } from '../../src/carriers/label-file.js';
import type { PageCount } from '../../src/documents/pdf.js';
import { createPdfPageCounter } from '../../src/documents/pdf-reader.js';

/** Files of usual generators, which every viewer opens and prints; relative to the compiled tests. */
const FILES = new URL('../../../test/documents/foreign-pdfs/', import.meta.url);
/** Pages of those that have not one. */
const PAGES: Readonly<Record<string, PageCount>> = {
  'mupdf-aes-256.pdf': 3,
  'qpdf-aes-256-linearized.pdf': 3,
  'qpdf-aes-256-object-streams.pdf': 3,
  'qpdf-linearized.pdf': 3,
  'qpdf-user-password.pdf': 'locked',
  'reportlab-three-pages.pdf': 3,
};
const count = createPdfPageCounter();

for (const file of readdirSync(FILES)) {
  test.serial(
    `a carrier's label, ${file}: its pages are counted, protected from changes or not`,
    async (t) => {
      const bytes = readFileSync(new URL(file, FILES));

      const label = pdfOf(Buffer.concat([Buffer.from('\ufeff\r\n'), bytes, Buffer.alloc(4096)]));

      if (label.kind !== 'accepted') return t.fail(label.kind);
      t.is(await count(Buffer.from(label.value), 'a'), PAGES[file] ?? 1);
    },
  );
}
