import { batchRoutes } from '../../../../api/v2/batches/routes.js';
import { shipmentsOfBatch } from '../../../../db/queries/shipments/shipments.js';
import { Html, html, type Part } from '../../../../domain/html.js';
import { type Pick, picksOf } from '../../../../domain/packing.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { type Packing, packingOf } from '../../../../services/labels/packing.js';
import { textOfIds } from '../chosen.js';
import { code, day } from '../layout.js';
import { chosen } from '../parts.js';
import { type AccountVisit, accountScreen, type ScreenPage } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled, WORDS } from '../words/words.js';
import { chosenOf, noneChosen } from './chosen-shipments.js';
import { requireShipment } from './story.js';

/** Papers of slips: a sheet, and the size of a parcel's label. */
const PAPERS = ['A4', 'small'] as const;
type Paper = (typeof PAPERS)[number];

/** Shipments whose slips or pick list is shown. */
type Chosen = readonly { id: number; uuid: string }[];

const slipsOfChosen = accountScreen('post', '/shipments/slips', 'ship', async (visit) => {
  const found = await chosenOf(visit, LIMITS.panel.chosenAtOnce);
  return found.length === 0 ? noneChosen(visit, visit.words.slips.slips) : await slips(visit, found);
});

const picksOfChosen = accountScreen('post', '/shipments/picks', 'ship', async (visit) => {
  const found = await chosenOf(visit, LIMITS.panel.chosenAtOnce);
  return found.length === 0 ? noneChosen(visit, visit.words.slips.picks) : await picks(visit, found);
});

const slipOfOne = accountScreen('get', '/shipments/:uuid/slip', 'ship', async (visit) =>
  slips(visit, [await requireShipment(visit)]),
);

const slipsOfBatch = accountScreen('get', '/batches/:batch/slips', 'ship', async (visit) =>
  slips(visit, await ofBatch(visit)),
);

const picksOfBatch = accountScreen('get', '/batches/:batch/picks', 'ship', async (visit) =>
  picks(visit, await ofBatch(visit)),
);

/** The ways to the slips and the pick list of a batch. */
export function sheetsOfBatch({ words, account }: AccountVisit, batch: string): Html {
  const { slips: texts } = words;
  const here = `/panel/a/${account.id}/batches/${batch}`;
  return html`<a class="button second" href="${here}/slips" target="_blank">${texts.slips}</a>
<a class="button second" href="${here}/picks" target="_blank">${texts.picks}</a>`;
}

/** The parcels of the batch. @throws AppError `not_found` */
async function ofBatch({ app, account, params, call }: AccountVisit): Promise<Chosen> {
  const batchUuid = params.batch ?? '';
  await call(batchRoutes.show, { params: { uuid: batchUuid } });
  const limit = LIMITS.panel.chosenAtOnce;
  return await shipmentsOfBatch(app.db, { accountId: account.id, batchUuid, limit });
}

/** One page a parcel. */
async function slips(visit: AccountVisit, shipments: Chosen): Promise<ScreenPage> {
  const { words, form, account, app } = visit;
  const { slips: texts } = words;
  const uuids = shipments.map(({ uuid }) => uuid);
  const packing = await packingOf(app, { accountId: account.id, uuids });
  if (packing === null) return nothing(visit, texts.slips);
  const paper = PAPERS.find((one) => one === form.get('paper')) ?? (packing.isA4 ? 'A4' : 'small');
  const inside = WORDS[packing.language];
  return {
    title: texts.slips,
    main: html`<div class="actions sheets">${printButton(words)}${papers(visit, shipments, paper)}</div>
${leftOut(words, packing)}
${logoOnce(packing, inside)}
<div class="paper ${paper}" lang="${packing.language}" dir="${inside.direction}">
${packing.slips.map((one) => slip(one, packing, inside))}</div>`,
  };
}

/** A merchant's logo stands once in the page, however many slips show it. */
function logoOnce({ merchant: { logo } }: Packing, { direction }: Words): Html | null {
  if (logo === null) return null;
  const side = direction === 'rtl' ? 'xMaxYMid' : 'xMinYMid';
  return html`<svg class="unseen" aria-hidden="true"><symbol id="logo" viewBox="0 0 200 60"><image href="${logo}" width="200" height="60" preserveAspectRatio="${side} meet"/></symbol></svg>`;
}

function slip(one: Packing['slips'][number], { merchant }: Packing, words: Words): Html {
  const { slips: texts, parcel, form } = words;
  const { to, items, moreItems } = one;
  const lines = [to.name, to.company, to.street, ...to.rooms, to.city].filter(Boolean);
  return html`<section class="slip"><header>
<div>${merchant.logo === null ? null : html`<svg class="logo" viewBox="0 0 200 60" aria-hidden="true"><use href="#logo"/></svg>`}
<b class="merchant">${merchant.name}</b></div>
<div class="order"><span>${words.order}</span> <b>${code(one.orderNumber)}</b>${barcode(one.barcode)}</div></header>
<div class="to"><span>${texts.to}</span>${lines.map((line) => html`<p dir="auto">${line}</p>`)}</div>
${
  items.length === 0
    ? html`<p>${texts.noItems}</p>`
    : html`<table><thead><tr><th class="count" scope="col">${parcel.quantity}</th><th scope="col">${parcel.itemName}</th><th scope="col">${parcel.sku}</th></tr></thead>
<tbody>${items.map((item) => html`<tr><td class="count">${item.quantity}</td><td>${nameOf(item)}</td><td>${code(item.sku)}</td></tr>`)}</tbody></table>`
}
${moreItems === 0 ? null : html`<p class="more">${filled(texts.more, { count: moreItems })}</p>`}
${one.notes.map((note) => html`<p class="note"><span>${texts.note}</span> <bdi>${note}</bdi></p>`)}
<footer>${day(one.createdAt, words)}${one.packages > 1 ? html` · ${form.packages}: ${one.packages}` : null}${merchant.phone === '' ? null : html` · ${code(merchant.phone)}`}</footer>
</section>
`;
}

/** Sized by attributes: the page's policy refuses a style inside an element. */
function barcode(svg: string | null): Html | null {
  const sized = svg?.replace(/style="width:(\d+)px;height:(\d+)px"/, 'width="$1" height="$2"');
  return sized === undefined ? null : new Html(sized);
}

function nameOf({ name, variation }: { name: string; variation: string | null }): Part {
  return html`<bdi>${[name, variation].filter(Boolean).join(', ')}</bdi>`;
}

/** The pick list of all parcels together. */
async function picks(visit: AccountVisit, shipments: Chosen): Promise<ScreenPage> {
  const { words, account, app } = visit;
  const { slips: texts, parcel } = words;
  const uuids = shipments.map(({ uuid }) => uuid);
  const packing = await packingOf(app, { accountId: account.id, uuids });
  if (packing === null) return nothing(visit, texts.picks);
  const lines = picksOf(packing.slips);
  const heads = [texts.place, parcel.quantity, parcel.itemName, parcel.sku, texts.orders, texts.fetched];
  const numbers = (some: Packing['slips']) => [...new Set(some.map(({ orderNumber }) => orderNumber))];
  const without = numbers(packing.slips.filter(({ items }) => items.length === 0));
  const cut = numbers(packing.slips.filter(({ moreItems }) => moreItems > 0));
  return {
    title: texts.picks,
    main: html`<div class="actions sheets">${printButton(words)}</div>
<div class="paper A4 picks" role="region" aria-label="${texts.picks}" tabindex="0"><p>${filled(texts.pickSum, { orders: numbers(packing.slips).length, count: lines.reduce((sum, { quantity }) => sum + quantity, 0) })} · ${day(new Date().toISOString(), words)}</p>
${warning(texts.withoutItems, without)}
${warning(texts.cut, cut)}
${leftOut(words, packing)}
<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${lines.map(pickRow)}</tbody></table></div>`,
  };
}

function pickRow({ place, quantity, sku, orders, ...item }: Pick): Html {
  const list = orders.map(
    (one, index) => html`${index === 0 ? '' : ', '}${code(one.number)} × ${one.quantity}`,
  );
  return html`<tr><td><bdi>${place}</bdi></td><td class="count">${quantity}</td><td>${nameOf(item)}</td><td>${code(sku)}</td><td>${list}</td><td class="box">☐</td></tr>
`;
}

function warning(text: string, numbers: readonly string[]): Html | null {
  if (numbers.length === 0) return null;
  return html`<p class="warning">${text} ${numbers.map((number, index) => html`${index === 0 ? '' : ', '}${code(number)}`)}</p>`;
}

function leftOut({ statuses, form, slips: texts }: Words, { cancelled, collected }: Packing): Html {
  return html`${warning(`${texts.leftOut} (${statuses.cancelled}):`, cancelled)}
${warning(`${texts.leftOut} (${form.collection}):`, collected)}`;
}

/** Script prints; without it the browser's own menu does. */
function printButton({ slips: texts }: Words): Html {
  return html`<button type="button" class="scripted" data-prints>${texts.print}</button>`;
}

function papers({ words, account }: AccountVisit, shipments: Chosen, paper: Paper): Html {
  const { slips: texts } = words;
  return html`<form method="post" action="/panel/a/${account.id}/shipments/slips" class="row">
${chosen('others', textOfIds(shipments.map(({ id }) => id)))}
${PAPERS.map((one) => {
  const mark = one === paper ? html` aria-pressed="true"` : html` aria-pressed="false"`;
  return html`<button class="second" name="paper" value="${one}"${mark}>${one === 'small' ? texts.small : one}</button> `;
})}</form>`;
}

function nothing({ words, account }: AccountVisit, title: string): ScreenPage {
  return {
    title,
    main: html`<p class="nothing">${words.nothing}</p><p><a href="/panel/a/${account.id}/shipments">${words.back}</a></p>`,
  };
}

export const slipScreens = [slipsOfChosen, picksOfChosen, slipOfOne, slipsOfBatch, picksOfBatch];
