import { listRefused, type RefusedShipment } from '../../../../db/queries/shipments/refused-shipments.js';
import { html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { withoutMarks } from '../../../../lib/sent-text.js';
import { type Column, code, field, moment, table } from '../layout.js';
import { keysetPage, queryWith, shownOf } from '../parts.js';
import { accountScreen, type ScreenPage, screen, type Visit } from '../screen.js';
import { toldText } from '../told.js';
import { filled } from '../words/words.js';

/** Of every merchant. */
const all = screen('get', '/refused', 'operate', (visit) => page(visit, null));
const own = accountScreen('get', '/refused', 'ship', (visit) => page(visit, visit.account.id));

async function page(visit: Visit, accountId: number | null): Promise<ScreenPage> {
  const { app, query, words } = visit;
  const { parcel: texts } = words;
  const text = withoutMarks(query.get('q') ?? '').slice(0, 191);
  const { limit, ...after } = keysetPage(visit);
  const found = await listRefused(app.db, {
    accountId,
    text,
    looked: LIMITS.panel.searched,
    ...after,
    limit: limit + 1,
  });
  const { shown, next } = shownOf(found, visit, (id) => queryWith(query, { after: id }));
  const merchant: Column<RefusedShipment> = [
    words.attention.merchant,
    (one) => html`<bdi>${one.merchant}</bdi>`,
  ];
  const list = table(words, texts.refused, shown, [
    [
      words.order,
      ({ accountId: id, uuid, orderNumber }) => html`${code(orderNumber)}<br>
<a href="/panel/a/${id}/shipments/new?from=${uuid}">${texts.correct}</a>`,
    ],
    [words.reason, ({ reason }) => html`<bdi dir="auto" class="answer">${toldText(words, reason)}</bdi>`],
    ...(accountId === null ? [merchant] : []),
    [words.recipient, (one) => html`<bdi>${[one.recipient, one.city].filter(Boolean).join(', ')}</bdi>`],
    [words.license, ({ license }) => html`<bdi>${license}</bdi>`],
    [words.time, ({ createdAt }) => moment(createdAt, words)],
  ]);
  return {
    title: texts.refused,
    main: html`<p>${texts.refusedIntro}</p>
<form method="get" class="row" role="search">${field('q', filled(texts.refusedSearch, { count: LIMITS.panel.searched }), { type: 'search', value: text })}
<button class="second">${words.show}</button></form>
${shown.length === 0 ? html`<p class="nothing">${texts.refusedEmpty}</p>` : list}
${next}`,
  };
}

export const refusedScreens = [all, own];
