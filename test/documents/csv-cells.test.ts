import test from 'ava';
import { csvPieces } from '../../src/documents/exports/csv.js';
import { EXPORT_COLUMNS, type ExportRow } from '../../src/domain/exports.js';
import { patient } from '../support/patience.js';

/** Texts that start a cell elsewhere than at a comma, and their inert form. */
const SPLIT: readonly (readonly [string, string])[] = [
  ["Dana;=cmd|' /C calc'!A0", "Dana;'=cmd|' /C calc'!A0"],
  ['Dana\t+1', "Dana\t'+1"],
  ['Dana\r\n=1', "Dana\r\n'=1"],
  ['a;-1;@b', "a;'-1;'@b"],
  [';;\t=1', ";;\t'=1"],
  ['a; =1', "a;' =1"],
  ['a;\u200b=1', "a;'\u200b=1"],
  ['a; "=1"', `a;' "=1"`],
  ['a;＝1', "a;'＝1"],
  ['a; -5', "a;' -5"],
  ['call; +972501234567', "call;' +972501234567"],
  ['a; b = c; d', 'a; b = c; d'],
  ['floor 3; 050-1234567', 'floor 3; 050-1234567'],
  ['a=b, c-d', 'a=b, c-d'],
  ['a;\ufeff=1', "a;'\ufeff=1"],
  ["a;'=1", "a;'=1"],
];

test('csvPieces: no program calculates any part of a text, wherever it splits cells', async (t) => {
  const rows = SPLIT.map(([text]) => row({ recipient_name: text, cod_amount: '-5.00' }));

  const file = await fileOf(rows);

  for (const [text, expected] of SPLIT) {
    t.true(file.includes(expected.replaceAll('"', '""')), JSON.stringify([text, expected]));
  }
  t.notRegex(file, /[;\t\n][\s\p{Cf}"]*[=+\-@＝＋－＠]/u);
  t.is(file.split(',-5.00,').length, SPLIT.length + 1);
});

for (const [what, text] of [
  ['separators', '; "'.repeat(100_000)],
  ['byte order marks behind a separator', `a;${'\ufeff'.repeat(1000)}x`],
] as const) {
  test(`csvPieces: a long text of ${what} takes linear time`, async (t) => {
    const start = performance.now();

    const file = await fileOf([row({ note: text })]);

    const spentMs = performance.now() - start;
    t.true(file.length > text.length);
    t.true(spentMs < patient(1000), `${spentMs} ms`);
  });
}

function row(values: Record<string, string>): ExportRow {
  return EXPORT_COLUMNS.map(({ name }) => values[name] ?? null);
}

async function fileOf(rows: readonly ExportRow[]): Promise<string> {
  async function* pages() {
    yield rows;
  }
  const parts: Buffer[] = [];
  for await (const piece of csvPieces(pages())) parts.push(piece);
  return Buffer.concat(parts).toString('utf8');
}
