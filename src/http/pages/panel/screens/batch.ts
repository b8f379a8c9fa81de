import type { Static } from 'typebox';
import { type Batch, type BatchItem, BatchItemSchema } from '../../../../api/v2/batches/schema.js';
import { cursorPageOf } from '../../../../api/v2/schemas.js';
import { BATCH_ITEM_STATUSES } from '../../../../domain/batch.js';
import { type Html, html, type Part } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { compileOnUse } from '../../../../lib/schema.js';
import { code, moment, row, table } from '../layout.js';
import { actionButton, cursorPages, livePage, queryWith, state } from '../parts.js';
import { type AccountVisit, type Answer, accountScreen, type Live } from '../screen.js';
import { filled } from '../words/words.js';
import { checkBatch } from './batches.js';

const itemsAnswer = cursorPageOf(BatchItemSchema);
const checkItems = compileOnUse<Static<typeof itemsAnswer>>(itemsAnswer);
const FIELDS_SHOWN = 5;

const show = accountScreen('get', '/batches/:batch', 'ship', async (visit) => {
  const { words, params, v2 } = visit;
  const { data } = await v2('getBatch', { params: { uuid: params.batch ?? '' } }, checkBatch);
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
  const { total, failed, pending } = batch.summary;
  const isOpen = pending > 0;
  const here = `/panel/a/${account.id}/batches/${batch.id}`;
  const content = html`
<p role="status">${state(batch.status, texts.statuses[batch.status])} ${filled(texts.done, { done: total - pending, total })}</p>
<progress max="${total}" value="${total - pending}" aria-label="${texts.one}"></progress>
<div class="actions">${failed > 0 ? actionButton(`${here}/retry`, texts.retry, 'first') : null}
${isOpen ? actionButton(`${here}/cancel`, texts.cancel) : null}</div>
${await items(visit, batch)}`;
  return { id: 'progress', content, isOpen };
}

async function items(visit: AccountVisit, { id, summary }: Batch): Promise<Html> {
  const { words, query, v2 } = visit;
  const { batches: texts } = words;
  const asked = query.get('status') ?? (summary.failed > 0 ? 'failed' : 'all');
  const status = BATCH_ITEM_STATUSES.find((one) => one === asked);
  const cursor = query.get('cursor') ?? '';
  const { data, meta } = await v2(
    'listBatchItems',
    {
      params: { uuid: id },
      query: {
        per_page: String(LIMITS.panel.pageRows),
        ...(status === undefined ? {} : { 'filter[status]': status }),
        ...(cursor === '' ? {} : { cursor }),
      },
    },
    checkItems,
  );
  const link = (name: string, text: string, count: number) => {
    const mark = name === (status ?? 'all') ? html` aria-current="true"` : null;
    return html`<a href="${queryWith(query, { status: name })}"${mark}>${text}: ${count}</a> `;
  };
  const heads = ['#', words.order, words.recipient, words.state, words.reason];
  return html`<h2>${texts.itemsTitle}</h2>
<nav class="row" aria-label="${words.state}">${link('all', texts.total, summary.total)}
${BATCH_ITEM_STATUSES.map((one) => link(one, texts.items[one], summary[one]))}</nav>
${table(
  texts.itemsTitle,
  heads,
  data.map((item) => line(visit, item)),
  words,
)}
${cursorPages(visit, meta)}`;
}

function line({ words, account }: AccountVisit, item: BatchItem): Html {
  const { position, status, shipment_id, payload } = item;
  const order = code(textAt(payload, 'order', 'number') ?? textAt(payload, 'order', 'id'));
  const shipment = `/panel/a/${account.id}/shipments/${shipment_id}`;
  return row(
    position + 1,
    shipment_id === null ? order : html`<a href="${shipment}">${order ?? words.show}</a>`,
    html`<bdi>${textAt(payload, 'ship_data', 'contact_name') ?? ''}</bdi>`,
    state(status, words.batches.item[status]),
    reason(item),
  );
}

function reason({ error }: BatchItem): Part {
  if (error === null) return null;
  const fields = Object.entries(error.fields ?? {}).slice(0, FIELDS_SHOWN);
  const said = fields.map(
    ([name, [message = '']]) => html`<li>${code(name)} <bdi dir="auto">${message}</bdi></li>`,
  );
  return html`<bdi dir="auto" class="answer">${error.message}</bdi>${said.length === 0 ? null : html`<ul>${said}</ul>`}`;
}

/** A text inside an item as it was submitted, which may be of any shape. */
function textAt(payload: unknown, object: string, name: string): string | null {
  const value = memberOf(memberOf(payload, object), name);
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const retry = accountScreen('post', '/batches/:batch/retry', 'ship', (visit) => act(visit, 'retryBatch'));
const cancel = accountScreen('post', '/batches/:batch/cancel', 'ship', (visit) => act(visit, 'cancelBatch'));

async function act(visit: AccountVisit, operation: 'retryBatch' | 'cancelBatch'): Promise<Answer> {
  const { params, account, v2 } = visit;
  const { data } = await v2(operation, { params: { uuid: params.batch ?? '' } }, checkBatch);
  const notice = operation === 'retryBatch' ? 'retried' : 'stopped';
  return { to: `/panel/a/${account.id}/batches/${data.id}`, notice };
}

export const batchScreens = [show, retry, cancel];
