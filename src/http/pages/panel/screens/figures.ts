import { type Html, html } from '../../../../domain/html.js';
import { type ShipmentFigures, shipmentFigures } from '../../../../services/shipments/shipment-figures.js';
import { columnChart, shareBar } from '../charts.js';
import { table } from '../layout.js';
import { accountScreen, type Visit } from '../screen.js';
import { filled } from '../words/words.js';

/** In days; a quarter of a merchant with thousands a day takes too long to count at each visit. */
const PERIODS = [7, 30];
const DEFAULT_DAYS = 30;

const show = accountScreen('get', '/figures', 'ship', async (visit) => {
  const { app, account, query, words } = visit;
  const { figures: texts } = words;
  const asked = Number(query.get('days'));
  const days = PERIODS.includes(asked) ? asked : DEFAULT_DAYS;
  const figures = await shipmentFigures(app, { accountId: account.id, days });
  const periods = PERIODS.map(
    (one) =>
      html`<a href="?days=${one}"${one === days ? html` aria-current="true"` : null}>${filled(texts.days, { days: one })}</a> `,
  );
  return {
    title: texts.title,
    main: html`<p class="actions periods">${periods}</p>
${numbers(figures, visit)}
<h2>${texts.perDay}</h2>
${figures.total === 0 ? html`<p class="nothing">${texts.none}</p>` : perDay(figures, visit)}
${ranked(visit, texts.perCarrier, words.carrier, figures.carriers)}
${ranked(visit, texts.perCity, texts.city, figures.cities)}
${ranked(visit, texts.refused, words.reason, figures.refused)}`,
  };
});

function numbers(
  { total, door, refusals }: ShipmentFigures,
  { words, account }: Visit & { account: { id: number } },
): Html {
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
${one(refusals, html`<a href="/panel/a/${account.id}/refused">${texts.refused}</a>`)}
</div>`;
}

function perDay({ days }: ShipmentFigures, { words }: Visit): Html {
  const { figures: texts } = words;
  const format = new Intl.DateTimeFormat(words.locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' });
  const bars = days.map(({ name, count }) => ({ name: format.format(new Date(name)), count }));
  // Narrow screens scroll it: figures that shrink with it cannot be read.
  return html`<div class="table" role="region" aria-label="${texts.perDay}" tabindex="0">${columnChart(texts.perDay, bars, words.direction)}</div>`;
}

function ranked(
  { words }: Visit,
  title: string,
  column: string,
  rows: readonly { name: string; count: number }[],
): Html | null {
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map(({ count }) => count));
  return html`<h2>${title}</h2>
${table(words, title, rows, [
  [column, ({ name }) => html`<bdi dir="auto">${name}</bdi>`],
  [words.figures.parcels, ({ count }) => count],
  [words.figures.share, ({ count }) => shareBar(count, most, words.direction)],
])}`;
}

export const figureScreens = [show];
