import { itemCheck } from '../../../../api/v2/batches/check-item.js';
import { batchRoutes } from '../../../../api/v2/batches/routes.js';
import { findDraft, type ImportDraft } from '../../../../db/queries/imports/drafts.js';
import { countRows, findRow, listRows, type RowState } from '../../../../db/queries/imports/rows.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { CELLS, type Edits } from '../../../../domain/imports/edits.js';
import { columnsOf, IMPORT_FIELDS, isComplete } from '../../../../domain/imports/fields.js';
import { quoted } from '../../../../domain/problems/problem.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import {
  bookDraft,
  changeRows,
  chooseColumns,
  draftTable,
  nextRound,
} from '../../../../services/imports/drafts.js';
import { usableLicense } from '../license-screen.js';
import { actionButton, alert, chosen, idPage, shownOf } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import { filled } from '../words/words.js';
import { heldTable, mendForm, readyTable } from './import-rows.js';
import { draftName, refusedText } from './import-upload.js';

const { pageRows } = LIMITS.imports;

async function draftOf({ app, account, params }: AccountVisit): Promise<ImportDraft> {
  const draft = await findDraft(app.db, { accountId: account.id, uuid: params.draft ?? '' });
  if (draft === null) throw notFound('draft');
  return draft;
}

async function checkOf(visit: AccountVisit, draft: ImportDraft) {
  const license = await usableLicense(visit, draft.licenseId);
  return await itemCheck(visit.app, { accountId: draft.accountId, license });
}

const show = accountScreen('get', '/imports/:draft', 'ship', async (visit) => {
  const draft = await draftOf(visit);
  const counts = await countRows(visit.app.db, draft.id);
  const isUnread = Object.values(counts).every((count) => count === 0);
  return isUnread ? await columnsPage(visit) : await draftPage(visit);
});

async function draftPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, words } = visit;
  const { imports: texts } = words;
  const draft = await draftOf(visit);
  const here = `/panel/a/${account.id}/imports/${draft.uuid}`;
  const counts = await countRows(app.db, draft.id);
  const { round, waiting, bookings } = await nextRound(app, draft);
  const toBook = waiting > 0 ? waiting : counts.ready;
  const done = bookings.map(({ batchUuid, orders }) =>
    batchUuid === null
      ? null
      : html`<p class="notice"><a href="/panel/a/${account.id}/batches/${batchUuid}">${filled(texts.booked, { count: orders })}</a></p>`,
  );
  const summary = [
    filled(texts.ready, { count: counts.ready }),
    ...(counts.faulty > 0 ? [filled(texts.faulty, { count: counts.faulty })] : []),
    ...(counts.held > 0 ? [filled(texts.held, { count: counts.held })] : []),
  ].join(' · ');
  const book =
    toBook === 0
      ? null
      : actionButton(
          `${here}/book`,
          filled(texts.create, { count: toBook }),
          'first',
          chosen('round', String(round)),
        );
  const again =
    draft.round > 0 || draft.corrects !== null
      ? null
      : html`<a class="button second" href="${here}/columns">${texts.columns}</a>`;
  return {
    title: draftName(draft, words),
    main: html`${alert(refusal)}${done}
<p role="status"><strong>${summary}</strong>${draft.source === '' ? null : html` · <bdi>${draft.source}</bdi>`}</p>
<div class="actions">${book}${again}</div>
${counts.faulty > 0 ? await faultyForm(visit, draft, counts.faulty) : null}
${counts.held > 0 ? await fold(visit, draft, 'held', texts.heldTitle) : null}
${counts.ready > 0 ? await fold(visit, draft, 'ready', texts.readyTitle) : null}`,
  };
}

/** The orders that need a person, each with inputs for its faulty cells alone. */
async function faultyForm(visit: AccountVisit, draft: ImportDraft, count: number): Promise<Html> {
  const { app, words, account, query } = visit;
  const { imports: texts } = words;
  const afterId = Number(query.get('after')) || 0;
  const found = await listRows(app.db, { draftId: draft.id, state: 'faulty', afterId, limit: pageRows + 1 });
  const rows = found.slice(0, pageRows);
  const last = found.length > pageRows ? rows.at(-1) : undefined;
  const here = `/panel/a/${account.id}/imports/${draft.uuid}`;
  return html`<section><h2>${filled(texts.faultyTitle, { count })}</h2>
${mendForm(words, `${here}/rows`, rows)}
${last === undefined ? null : html`<p class="pages"><a href="?after=${last.id}">${words.next}</a></p>`}</section>`;
}

/** Orders that need nobody, folded. */
async function fold(
  visit: AccountVisit,
  draft: ImportDraft,
  state: RowState & ('held' | 'ready'),
  title: string,
): Promise<Html> {
  const { app, account, query } = visit;
  const name = `${state}_after`;
  const found = await listRows(app.db, { draftId: draft.id, state, ...idPage(visit, name) });
  const { shown, next } = shownOf(found, visit, (after) => `?${name}=${after}`);
  const here = `/panel/a/${account.id}/imports/${draft.uuid}`;
  const list = state === 'held' ? heldTable(visit, here, shown) : readyTable(visit, here, shown);
  return html`<details${query.has(name) ? html` open` : null}><summary>${title}</summary>
${list}
${next}
</details>`;
}

/** One order with all its cells. */
const one = accountScreen('get', '/imports/:draft/rows/:row', 'ship', async (visit) => {
  const { app, params, words, account } = visit;
  const draft = await draftOf(visit);
  const row = await findRow(app.db, { draftId: draft.id, id: Number(params.row) || 0 });
  if (row === null || row.state === 'booked') throw notFound('order');
  return {
    title: filled(words.imports.row, { line: row.line }),
    main: mendForm(words, `/panel/a/${account.id}/imports/${draft.uuid}/rows`, [row], CELLS),
  };
});

const mend = accountForm('/imports/:draft/rows', 'ship', draftPage, async (visit) => {
  const { app, form, account, words } = visit;
  const draft = await draftOf(visit);
  const edits = new Map<number, Edits>();
  // From an older page only what was typed there counts.
  const was = new URLSearchParams(form.get('was') ?? '');
  for (const [name, text] of form) {
    const { id, cell } = /^r(?<id>\d+)\.(?<cell>.+)$/.exec(name)?.groups ?? {};
    const known = CELLS.find((path) => path === cell);
    if (known === undefined || text.trim() === was.get(name)?.trim()) continue;
    edits.set(Number(id), { ...edits.get(Number(id)), [known]: text.trim().slice(0, 2000) });
  }
  const take = Number(form.get('take')) || null;
  const leave = Number(form.get('leave')) || null;
  for (const id of [take, leave]) if (id !== null && !edits.has(id)) edits.set(id, {});
  const changes = [...edits].map(([id, typed]) => ({
    id,
    edits: typed,
    ...(id === take ? { isTaken: true } : {}),
    ...(id === leave ? { isLeft: true } : {}),
  }));
  const isKept = await changeRows(app, draft, { changes, check: await checkOf(visit, draft) });
  if (!isKept) throw new AppError('validation_failed', quoted(words.imports.bookedMeanwhile));
  return { to: `/panel/a/${account.id}/imports/${draft.uuid}`, notice: 'saved' };
});

const book = accountForm('/imports/:draft/book', 'ship', draftPage, async (visit) => {
  const { app, form, account, call } = visit;
  const draft = await draftOf(visit);
  const license = await usableLicense(visit, draft.licenseId);
  const batch = await bookDraft(app, draft, {
    round: Number(form.get('round')) || 0,
    create: async (shipments, key) => {
      const text = JSON.stringify({ shipments, license_key: license.key });
      const { data } = await call(batchRoutes.create, { text, key });
      return data.id;
    },
  });
  const here = `/panel/a/${account.id}`;
  if (batch === null) return { to: `${here}/imports/${draft.uuid}` };
  return { to: `${here}/batches/${batch}`, notice: 'created' };
});

const columns = accountScreen('get', '/imports/:draft/columns', 'ship', (visit) => columnsPage(visit));

async function columnsPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, words, form } = visit;
  const { imports: texts } = words;
  const draft = await draftOf(visit);
  const table = await draftTable(app, draft);
  if (table === null || draft.round > 0) throw notFound('page');
  const sent = form.getAll('column');
  const now = sent.length > 0 ? columnsOf(sent) : draft.columns;
  const choice = (index: number) => {
    const options = IMPORT_FIELDS.map(
      (field) =>
        html`<option value="${field}"${now[index] === field ? html` selected` : null}>${texts.fields[field]}</option>`,
    );
    return html`<select name="column" aria-label="${table.header[index] ?? ''}"><option value="">${texts.unread}</option>${options}</select>`;
  };
  const row = (
    name: string,
    index: number,
  ) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${choice(index)}</td>
<td><bdi dir="auto">${table.sample
    .map((cells) => (cells[index] ?? '').slice(0, 40))
    .filter(Boolean)
    .slice(0, 3)
    .join(' · ')}</bdi></td></tr>
`;
  return {
    title: texts.columnsTitle,
    main: html`<form method="post" action="/panel/a/${account.id}/imports/${draft.uuid}/columns">
${alert(refusal)}
<p>${texts.columnsIntro}</p>
<div class="table" role="region" aria-label="${texts.columnsTitle}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.column}</th><th scope="col">${texts.means}</th><th scope="col">${texts.firstRows}</th></tr></thead>
<tbody>${table.header.map(row)}</tbody></table></div>
<button>${texts.check}</button>
</form>`,
  };
}

const choose = accountForm('/imports/:draft/columns', 'ship', columnsPage, async (visit) => {
  const { app, form, account, words } = visit;
  const draft = await draftOf(visit);
  const wanted = columnsOf(form.getAll('column'));
  if (!isComplete(wanted)) throw new AppError('validation_failed', quoted(words.imports.incomplete));
  const check = await checkOf(visit, draft);
  const refused = await visit.whileWaiting(() => chooseColumns(app, draft, { columns: wanted, check }));
  if (refused !== null) throw new AppError('validation_failed', quoted(refusedText(words, refused)));
  return { to: `/panel/a/${account.id}/imports/${draft.uuid}` };
});

export const importScreens = [show, one, mend, book, columns, choose];
