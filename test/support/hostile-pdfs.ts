import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate, deflateSync } from 'node:zlib';

const MIB = 1024 * 1024;
const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R>>',
];
const END = 'trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n';

/** A one-page PDF whose object stream ends with `spaceMib` MiB of white space. */
export async function packedPdf({ spaceMib = 0, steps = 1 } = {}): Promise<Buffer> {
  const offsets = OBJECTS.map((_, index) => OBJECTS.slice(0, index).join('').length);
  const head = offsets.map((offset, index) => `${index + 1} ${offset} `).join('');
  // Streamed, because the test measures peak memory.
  const plain = [head, ...OBJECTS, ...Array.from({ length: spaceMib }, () => Buffer.alloc(MIB, ' '))];
  let packed = await buffer(Readable.from(plain).pipe(createDeflate()));
  for (let step = 1; step < steps; step += 1) packed = deflateSync(packed);
  const filter = '/FlateDecode'.repeat(steps);
  const dict = `/Type/ObjStm/N ${OBJECTS.length}/First ${head.length}/Filter[${filter}]/Length ${packed.length}`;
  return Buffer.concat([
    Buffer.from(`%PDF-1.5\n9 0 obj\n<<${dict}>>\nstream\n`),
    packed,
    Buffer.from(`\nendstream\nendobj\n${END}`),
  ]);
}

/** A one-page PDF with `lists` nested lists, which take many times their bytes in memory. */
export function crowdedPdf(lists: number): Buffer {
  return plainPdf(Array.from({ length: lists }, () => `[${'[]'.repeat(50)}]`));
}

/** A PDF with unclosed objects: the library searches the rest of the file for the end of each. */
export function endlessPdf(objects: number): Buffer {
  return Buffer.from(`%PDF-1.4\n${'6 0 obj\n<<>>\nstream\nxx\n'.repeat(objects)}%%EOF\n`);
}

/** A one-page PDF with numbers that no double holds; the library logs a warning for each. */
export function oddPdf(numbers: number): Buffer {
  return plainPdf([`[${'9007199254740993 '.repeat(numbers)}]`]);
}

function plainPdf(others: readonly string[]): Buffer {
  const objects = [...OBJECTS, ...others].map((object, index) => `${index + 1} 0 obj${object}endobj\n`);
  return Buffer.from(`%PDF-1.4\n${objects.join('')}${END}`);
}
