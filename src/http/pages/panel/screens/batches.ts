import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { parseJson } from '../../../../api/json-body.js';
import { BatchSchema } from '../../../../api/v2/batches/schema.js';
import { dataOf } from '../../../../api/v2/schemas.js';
import { listBatches } from '../../../../db/queries/batches/batches.js';
import { batchStatus } from '../../../../domain/batch.js';
import { html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { compileOnUse } from '../../../../lib/schema.js';
import { moment, row, select, table } from '../layout.js';
import { usableLicenses } from '../license-screen.js';
import { alert, type Refusal, refusalOf, state, textArea } from '../parts.js';
import { type AccountVisit, accountScreen, type ScreenPage } from '../screen.js';

const batchAnswer = dataOf(BatchSchema);
/** Of an answer with a batch. */
export const checkBatch = compileOnUse<Static<typeof batchAnswer>>(batchAnswer);

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
  const { app, account, query, words } = visit;
  const { batches: texts } = words;
  const licenses = await usableLicenses(visit);
  const after = Number(query.get('after')) || undefined;
  const limit = LIMITS.panel.pageRows;
  const found = await listBatches(app.db, {
    accountId: account.id,
    licenseIds: licenses.map(({ id }) => id),
    limit,
    ...(after === undefined ? {} : { after }),
  });
  const shown = found.slice(0, limit);
  const rows = shown.map(({ uuid, licenseId, summary, createdAt }) =>
    row(
      html`<a href="batches/${uuid}">${moment(createdAt, words)}</a>`,
      html`<bdi>${licenses.find(({ id }) => id === licenseId)?.name ?? ''}</bdi>`,
      state(batchStatus(summary), texts.statuses[batchStatus(summary)]),
      summary.total,
      summary.created,
      summary.failed,
      summary.pending,
    ),
  );
  const heads = [
    words.created,
    words.license,
    words.state,
    texts.total,
    texts.items.created,
    texts.items.failed,
    texts.items.pending,
  ];
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    title: texts.title,
    main: html`<p class="actions"><a class="button" href="batches/new">${texts.new}</a></p>
${table(texts.title, heads, rows, words)}
${more ? html`<p class="pages"><a href="?after=${last.id}">${words.next}</a></p>` : null}`,
  };
});

const blank = accountScreen('get', '/batches/new', 'ship', async (visit) =>
  newPage(visit, new URLSearchParams(), null),
);

async function newPage(
  visit: AccountVisit,
  form: URLSearchParams,
  refusal: Refusal | null,
): Promise<ScreenPage> {
  const { words, account } = visit;
  const { batches: texts } = words;
  const licenses = await usableLicenses(visit);
  const options = licenses.map(({ key, name }) => [key, name] as const);
  // Sent twice, the form creates one batch; corrected after a refusal, it is another request.
  return {
    title: texts.new,
    status: refusal === null ? 200 : 422,
    main: html`<form method="post" action="/panel/a/${account.id}/batches/new" class="sheet">
${alert(refusal)}
<input type="hidden" name="key" value="${randomUUID()}">
${select('license_key', words.license, options, form.get('license_key') ?? '')}
${textArea('items', texts.itemsField, {
  value: form.get('items') ?? EXAMPLE,
  hint: texts.itemsHint,
  error: refusal?.fields.shipments?.[0] ?? refusal?.message,
  direction: 'ltr',
  rows: 20,
})}
<button>${texts.create}</button>
</form>`,
  };
}

const create = accountScreen('post', '/batches/new', 'ship', async (visit) => {
  const { account, form, v2 } = visit;
  try {
    const { value } = parseJson(Buffer.from(form.get('items') ?? ''), LIMITS.batches.values);
    const shipments = itemsOf(value);
    const body = { shipments, license_key: form.get('license_key') ?? '' };
    const headers = { 'idempotency-key': form.get('key') ?? randomUUID() };
    const { data } = await v2('createBatch', { body, headers }, checkBatch);
    return { to: `/panel/a/${account.id}/batches/${data.id}`, notice: 'created' };
  } catch (error) {
    return await newPage(visit, form, refusalOf(error));
  }
});

/** The items of a bare array or of a body of the API. */
function itemsOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'shipments' in value) return value.shipments;
  return value;
}

export const batchListScreens = [list, blank, create];
