import type { ImportRow } from '../../../../db/queries/imports/rows.js';
import { type Html, html } from '../../../../domain/html.js';
import { CELLS, type Cell, cellText, edited } from '../../../../domain/imports/edits.js';
import { TOLD } from '../../../../services/imports/check.js';
import { labelOf } from '../labels.js';
import { type Column, code, field, table } from '../layout.js';
import { chosen } from '../parts.js';
import type { AccountVisit } from '../screen.js';
import { told } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

/** Cells that read from left to right in every language. */
const LTR: ReadonlySet<Cell> = new Set(['order.id', 'ship_data.contact_phone', 'ship_data.contact_mail']);

/** The form in which orders are mended. Its first button saves: Enter in a cell leaves nothing out. */
export function mendForm(
  words: Words,
  action: string,
  rows: readonly ImportRow[],
  wanted?: readonly Cell[],
): Html {
  const was = new URLSearchParams();
  for (const row of rows) {
    const now = edited(row.item, row.edits);
    for (const cell of wanted ?? faultyCells(row)) was.set(`r${row.id}.${cell}`, cellText(now, cell));
  }
  const save = html`<button>${words.imports.save}</button>`;
  return html`<form method="post" action="${action}" class="mend">
${save}
${chosen('was', was.toString())}
${rows.map((row) => mendRow(words, row, wanted))}
${rows.length > 2 ? save : null}
</form>`;
}

/** Cells that a carrier may mean with a refusal that names no field. */
const REFUSED: ReadonlySet<Cell> = new Set([
  'ship_data.contact_name',
  'ship_data.contact_phone',
  'ship_data.street',
  'ship_data.number',
  'ship_data.city',
  'ship_data.pickup',
]);

function faultyCells({ faults }: ImportRow): readonly Cell[] {
  return CELLS.filter(
    (cell) => faults[cell] !== undefined || (faults[TOLD] !== undefined && REFUSED.has(cell)),
  );
}

/** An order with inputs for cells: those with faults, unless others are wanted. What was typed stands in them. */
function mendRow(words: Words, row: ImportRow, wanted?: readonly Cell[]): Html {
  const { imports: texts } = words;
  const now = edited(row.item, row.edits);
  const cells = wanted ?? faultyCells(row);
  const text = (cell: Cell) => cellText(now, cell);
  const input = (cell: Cell) =>
    field(`r${row.id}.${cell}`, labelOf(words, cell) ?? cell, {
      value: text(cell),
      ltr: LTR.has(cell),
      error: row.faults[cell]?.map((one) => told(words, one, cell)).join(' '),
    });
  // Of what no cell shows, such as a line of the order.
  const others = Object.entries(row.faults).filter(([path]) => !CELLS.some((cell) => cell === path));
  const where = [
    text('ship_data.contact_name'),
    text('ship_data.contact_phone'),
    [text('ship_data.street'), text('ship_data.number')].filter(Boolean).join(' '),
    text('ship_data.city'),
  ].filter(Boolean);
  return html`<fieldset><legend>${filled(texts.row, { line: row.line })} · ${words.order} <bdi>${text('order.id') || words.none}</bdi></legend>
<p class="hint"><bdi dir="auto">${where.join(' · ')}</bdi></p>
<div class="cells">${cells.map(input)}</div>
${others.map(([path, faults]) => html`<p class="error" dir="auto">${faults.map((one) => told(words, one, path)).join(' ')}</p>`)}
<button class="plain" name="leave" value="${row.id}" formnovalidate>${texts.leave}</button>
</fieldset>
`;
}

function columnsOf({ words }: AccountVisit, here: string): Column<ImportRow>[] {
  const { imports: texts } = words;
  const now = ({ item, edits }: ImportRow, cell: Cell) => cellText(edited(item, edits), cell);
  return [
    [texts.line, ({ line }) => line],
    [
      words.order,
      (row) => html`<a href="${here}/rows/${row.id}">${code(now(row, 'order.id')) ?? words.none}</a>`,
    ],
    [words.recipient, (row) => html`<bdi>${now(row, 'ship_data.contact_name')}</bdi>`],
    [
      words.city,
      (row) =>
        html`<bdi>${[now(row, 'ship_data.street'), now(row, 'ship_data.number'), now(row, 'ship_data.city')].filter(Boolean).join(' ')}</bdi>`,
    ],
  ];
}

/** Orders that are ready; each leads to all its cells. */
export function readyTable(visit: AccountVisit, here: string, rows: readonly ImportRow[]): Html {
  return table(visit.words, visit.words.imports.readyTitle, rows, columnsOf(visit, here));
}

/** Orders that are set aside, why, and the button that takes one all the same. */
export function heldTable(visit: AccountVisit, here: string, rows: readonly ImportRow[]): Html {
  const { words, account } = visit;
  const { imports: texts } = words;
  return table(words, texts.heldTitle, rows, [
    ...columnsOf(visit, here),
    [
      words.reason,
      ({ hold, shipmentUuid }) => {
        const text = hold === null ? '' : texts.holds[hold];
        if (hold !== 'shipped' || shipmentUuid === null) return text;
        return html`<a href="/panel/a/${account.id}/shipments/${shipmentUuid}">${text}</a>`;
      },
    ],
    [
      '',
      ({ id }) =>
        html`<form method="post" action="${here}/rows">${chosen('take', String(id))}<button class="plain">${texts.take}</button></form>`,
    ],
  ]);
}
