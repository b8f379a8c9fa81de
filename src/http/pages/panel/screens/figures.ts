import { type Html, html } from '../../../../domain/html.js';
import { type ShipmentFigures, shipmentFigures } from '../../../../services/shipments/shipment-figures.js';
import { columnChart, shareBar } from '../charts.js';
import { table } from '../layout.js';
import { accountScreen, type ScreenPage, screen, type Visit } from '../screen.js';
import { toldText } from '../told.js';
import { filled } from '../words/words.js';

/** In days; a quarter of a merchant with thousands a day takes too long to count at each visit. */
const PERIODS = [7, 30];
const DEFAULT_DAYS = 30;

/** Of every merchant. */
const all = screen('get', '/figures', 'operate', (visit) => page(visit, null));
const own = accountScreen('get', '/figures', 'ship', (visit) => page(visit, visit.account.id));

async function page(visit: Visit, accountId: number | null): Promise<ScreenPage> {
  const { app, query, words } = visit;
  const { figures: texts } = words;
  const asked = Number(query.get('days'));
  const days = PERIODS.includes(asked) ? asked : DEFAULT_DAYS;
  const figures = await shipmentFigures(app, { accountId, days });
  const periods = PERIODS.map(
    (one) =>
      html`<a href="?days=${one}"${one === days ? html` aria-current="true"` : null}>${filled(texts.days, { days: one })}</a> `,
  );
  const refused = accountId === null ? '/panel/refused' : `/panel/a/${accountId}/refused`;
  return {
    title: texts.title,
    main: html`<p class="actions periods">${periods}</p>
${numbers(figures, visit, refused)}
<h2>${texts.perDay}</h2>
${figures.total === 0 ? html`<p class="nothing">${texts.none}</p>` : perDay(figures, visit)}
${ranked(visit, texts.perCarrier, words.carrier, figures.carriers)}
${ranked(visit, texts.perMerchant, words.attention.merchant, figures.accounts)}
${ranked(visit, texts.perCity, texts.city, figures.cities)}
${ranked(
  visit,
  texts.refused,
  words.reason,
  figures.refused.map((one) => ({ ...one, name: toldText(words, one.name) })),
)}`,
  };
}

function numbers({ total, door, refusals }: ShipmentFigures, { words }: Visit, toRefused: string): Html {
  const { figures: texts } = words;
  const one = (value: string | number, name: Html | string) =>
    html`<div class="card"><b>${value}</b><span>${name}</span></div>`;
  const duration = (hours: number) =>
    hours < 48 ? filled(texts.hours, { hours }) : filled(texts.wholeDays, { days: (hours / 24).toFixed(1) });
  return html`<div class="numbers">
${one(total, texts.created)}
${door === null ? null : one(door.delivered, texts.delivered)}
${door === null ? null : one(duration(door.medianHours), texts.median)}
${door === null ? null : one(duration(door.p90Hours), texts.p90)}
${one(refusals, html`<a href="${toRefused}">${texts.refused}</a>`)}
</div>`;
}

function perDay({ days }: ShipmentFigures, { words }: Visit): Html {
  const { figures: texts } = words;
  const format = new Intl.DateTimeFormat(words.locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' });
  const bars = days.map(({ name, count }) => ({ name: format.format(new Date(name)), count }));
  // Narrow screens scroll it: figures that shrink with it cannot be read.
  return html`<div class="table" role="region" aria-label="${texts.perDay}" tabindex="0">${columnChart(texts.perDay, bars, words.direction)}</div>`;
}

/** `id`: of the account whose own figures a row leads to. */
interface Ranked {
  id?: number;
  name: string;
  count: number;
}

function ranked({ words }: Visit, title: string, column: string, rows: readonly Ranked[]): Html | null {
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map(({ count }) => count));
  return html`<h2>${title}</h2>
${table(words, title, rows, [
  [column, (row) => nameOf(row)],
  [words.figures.parcels, ({ count }) => count],
  [words.figures.share, ({ count }) => shareBar(count, most, words.direction)],
])}`;
}

function nameOf({ id, name }: Ranked): Html {
  const shown = html`<bdi dir="auto">${name}</bdi>`;
  return id === undefined ? shown : html`<a href="/panel/a/${id}/figures">${shown}</a>`;
}

export const figureScreens = [all, own];
