import { parseJson } from '../../../../api/json-body.js';
import { batchRoutes } from '../../../../api/v2/batches/routes.js';
import type { Batch, BatchItem } from '../../../../api/v2/batches/schema.js';
import { listBatches } from '../../../../db/queries/batches/batches.js';
import { BATCH_ITEM_STATUSES, batchStatus } from '../../../../domain/batch.js';
import { type Html, html, type Part } from '../../../../domain/html.js';
import { textAt } from '../../../../lib/json.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { code, moment, table } from '../layout.js';
import { licenseSelect, usableLicense, usableLicenses } from '../license-screen.js';
import {
  actionButton,
  alert,
  confirmed,
  cursorPage,
  cursorPages,
  keysetPage,
  livePage,
  queryWith,
  shownOf,
  state,
  textArea,
} from '../parts.js';
import {
  type AccountVisit,
  accountForm,
  accountScreen,
  type Live,
  type Screen,
  type ScreenPage,
} from '../screen.js';
import { type Refusal, toldText } from '../told.js';
import { filled } from '../words/words.js';
import { correctButton } from './batch-corrections.js';
import { uploadForm } from './import-upload.js';
import { printBatch } from './shipment-print.js';
import { sheetsOfBatch } from './slips.js';

const FIELDS_SHOWN = 5;

const EXAMPLE = `[
  {
    "order": { "id": "1001" },
    "ship_data": {
      "contact_name": "Dana Levi",
      "contact_phone": "0501234567",
      "street": "Herzl",
      "number": "7",
      "city": "Haifa",
      "type": 1,
      "return": 1
    }
  }
]`;

const list = accountScreen('get', '/batches', 'ship', async (visit) => {
  const { app, account, words } = visit;
  const { batches: texts } = words;
  const licenses = await usableLicenses(visit);
  const scope = { accountId: account.id, licenseIds: licenses.map(({ id }) => id) };
  const { shown, next } = shownOf(await listBatches(app.db, { ...scope, ...keysetPage(visit) }), visit);
  const batches = table(words, texts.title, shown, [
    [words.created, ({ uuid, createdAt }) => html`<a href="batches/${uuid}">${moment(createdAt, words)}</a>`],
    [words.state, ({ summary }) => state(batchStatus(summary), texts.statuses[batchStatus(summary)])],
    [
      words.license,
      ({ licenseId }) => html`<bdi>${licenses.find(({ id }) => id === licenseId)?.name ?? ''}</bdi>`,
    ],
    [texts.total, ({ summary }) => summary.total],
    [texts.items.created, ({ summary }) => summary.created],
    [texts.items.failed, ({ summary }) => summary.failed],
    [texts.items.pending, ({ summary }) => summary.pending],
  ]);
  return {
    title: texts.title,
    main: html`<p class="actions"><a class="button" href="batches/new">${texts.new}</a></p>
${batches}
${next}`,
  };
});

const blank = accountScreen('get', '/batches/new', 'ship', (visit) => newPage(visit));

async function newPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words, account, form } = visit;
  const { batches: texts } = words;
  const licenses = await usableLicenses(visit);
  return {
    title: texts.new,
    main: html`${await uploadForm(visit, licenses)}
<details${refusal === null ? null : html` open`}><summary>${texts.asJson}</summary>
<form method="post" enctype="multipart/form-data" action="/panel/a/${account.id}/batches/new" class="sheet">
${alert(refusal)}
${licenseSelect(words, licenses, form.get('license'))}
${textArea('items', texts.itemsField, {
  value: form.get('items') ?? EXAMPLE,
  hint: texts.itemsHint,
  error: refusal?.fields.shipments?.[0] ?? refusal?.message,
  direction: 'ltr',
  rows: 20,
})}
<button class="second">${texts.create}</button>
</form></details>`,
  };
}

const createForm = accountForm('/batches/new', 'ship', newPage, async (visit) => {
  const { account, form } = visit;
  const { value } = parseJson(Buffer.from(form.get('items') ?? ''), LIMITS.batches.values);
  const { key } = await usableLicense(visit);
  const text = JSON.stringify({ shipments: itemsOf(value), license_key: key });
  const { data } = await visit.call(batchRoutes.create, { text, key: form.get('key') ?? '' });
  return { to: `/panel/a/${account.id}/batches/${data.id}`, notice: 'created' };
});

const create: Screen = { ...createForm, takesFile: true };

/** The items of a bare array or of a body of the API. */
function itemsOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'shipments' in value) return value.shipments;
  return value;
}

/** Names the batch of the path. */
function batchOf({ params }: AccountVisit) {
  return { params: { uuid: params.batch ?? '' } };
}

const show = accountScreen('get', '/batches/:batch', 'ship', async (visit) => {
  const { words, call } = visit;
  const { data } = await call(batchRoutes.show, batchOf(visit));
  return livePage(visit, {
    title: words.batches.one,
    main: (part) => html`<p>${moment(data.created_at, words)} · ${code(data.id)}</p>
${part}`,
    live: await progress(visit, data),
  });
});

/** The counts, what can be done, and the items, until every item has its outcome. */
async function progress(visit: AccountVisit, batch: Batch): Promise<Live> {
  const { words, account } = visit;
  const { batches: texts } = words;
  const { total, failed, pending, created } = batch.summary;
  const isOpen = pending > 0;
  const here = `/panel/a/${account.id}/batches/${batch.id}`;
  const content = html`
<p role="status">${state(batch.status, texts.statuses[batch.status])} ${filled(texts.done, { done: total - pending, total })}</p>
<progress max="${total}" value="${total - pending}" aria-label="${texts.one}"></progress>
<div class="actions">${isOpen ? null : printBatch(visit, { id: batch.id, created })}
${isOpen || created === 0 ? null : sheetsOfBatch(visit, batch.id)}
${!isOpen && failed > 0 ? await correctButton(visit, batch.id) : null}
${failed > 0 ? actionButton(`${here}/retry`, texts.retry) : null}
${isOpen ? confirmed(`${here}/cancel`, { button: texts.cancel, question: words.lists.stopQuestion }) : null}</div>
${await items(visit, batch)}`;
  return { id: 'progress', content, isOpen };
}

async function items(visit: AccountVisit, { id, summary }: Batch): Promise<Html> {
  const { words, query, call } = visit;
  const { batches: texts } = words;
  const asked = query.get('status') ?? (summary.failed > 0 ? 'failed' : 'all');
  const status = BATCH_ITEM_STATUSES.find((one) => one === asked);
  const wanted = { params: { uuid: id }, query: cursorPage(visit, status) };
  const { data, meta } = await call(batchRoutes.items, wanted);
  const link = (name: string, text: string, count: number) => {
    const mark = name === (status ?? 'all') ? html` aria-current="true"` : null;
    return html`<a href="${queryWith(query, { status: name })}"${mark}>${text}: ${count}</a> `;
  };
  const list = table(words, texts.itemsTitle, data, [
    ['#', ({ position }) => position + 1],
    // Early, where a phone shows it without scrolling.
    [words.state, ({ status: one }) => state(one, texts.item[one])],
    [words.order, (item) => orderOf(visit, item)],
    [words.recipient, ({ payload }) => html`<bdi>${shownAt(payload, 'ship_data', 'contact_name')}</bdi>`],
    [words.reason, (item) => reason(visit, id, item)],
  ]);
  return html`<h2>${texts.itemsTitle}</h2>
<nav class="row" aria-label="${words.state}">${link('all', texts.total, summary.total)}
${BATCH_ITEM_STATUSES.map((one) => link(one, texts.items[one], summary[one]))}</nav>
${list}
${cursorPages(visit, meta)}`;
}

function orderOf({ words, account }: AccountVisit, { shipment_id, payload }: BatchItem): Part {
  const order = code(shownAt(payload, 'order', 'number') || shownAt(payload, 'order', 'id'));
  const shipment = `/panel/a/${account.id}/shipments/${shipment_id}`;
  return shipment_id === null ? order : html`<a href="${shipment}">${order ?? words.show}</a>`;
}

function reason(
  { words, account }: AccountVisit,
  batch: string,
  { error, position, payload }: BatchItem,
): Part {
  if (error === null) return null;
  const fields = Object.entries(error.fields ?? {}).slice(0, FIELDS_SHOWN);
  const said = fields.map(
    ([, [message = '']]) => html`<li><bdi dir="auto">${toldText(words, message)}</bdi></li>`,
  );
  const again = `/panel/a/${account.id}/shipments/new?batch=${batch}&item=${position}`;
  // The message is the first field's.
  const why =
    said.length === 0
      ? html`<bdi dir="auto" class="answer">${toldText(words, error.message)}</bdi>`
      : html`<ul>${said}</ul>`;
  return html`${why}
${payload === null ? null : html`<p><a href="${again}">${words.parcel.correct}</a></p>`}`;
}

/** A text inside an item as it was submitted, which may be of any shape. */
function shownAt(payload: unknown, object: string, name: string): string {
  return textAt(payload, object, name).slice(0, 100);
}

const retry = accountScreen('post', '/batches/:batch/retry', 'ship', async (visit) => {
  const { data } = await visit.call(batchRoutes.retry, batchOf(visit));
  return { to: `/panel/a/${visit.account.id}/batches/${data.id}`, notice: 'retried' };
});

const cancel = accountScreen('post', '/batches/:batch/cancel', 'ship', async (visit) => {
  const { data } = await visit.call(batchRoutes.cancel, batchOf(visit));
  return { to: `/panel/a/${visit.account.id}/batches/${data.id}`, notice: 'stopped' };
});

export const batchScreens = [list, blank, create, show, retry, cancel];
