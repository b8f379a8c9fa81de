import { type Html, html } from '../../../../domain/html.js';
import { type CarrierHealth, carriersHealth } from '../../../../services/operations/carrier-health.js';
import { type Column, facts, moment, table } from '../layout.js';
import { polls } from '../parts.js';
import { screen } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

const show = screen('get', '/carriers', 'operate', async ({ app, words }) => {
  const { carriers: texts } = words;
  const carriers = await carriersHealth(app);
  const quiet = carriers.filter(isQuiet);
  const busy = carriers
    .filter((one) => !isQuiet(one))
    .sort((one, other) => troubleOf(other) - troubleOf(one));
  const [since = null] = carriers.flatMap(({ countedSince }) => countedSince ?? []);
  const part = html`<div id="now"${polls('/panel/carriers', 15)}>
<p>${texts.intro}</p>
${since === null ? null : html`<p class="hint">${texts.countedSince} ${moment(since, words)}</p>`}
${busy.map((carrier) => card(carrier, words))}
${quiet.length === 0 ? null : html`<p class="nothing">${texts.quiet} <bdi>${quiet.map(({ name }) => name).join(', ')}</bdi></p>`}
</div>`;
  return { title: texts.title, main: part, part };
});

/** Nobody asked it for anything, and nothing waits for it. */
function isQuiet({ day, pending, needsAttention }: CarrierHealth): boolean {
  return day.asked + pending + needsAttention === 0;
}

/** The rank by which a person looks at carriers. */
function troubleOf({ day, needsAttention }: CarrierHealth): number {
  return needsAttention + day.unknown + day.rejected + day.notSent;
}

function card(carrier: CarrierHealth, words: Words): Html {
  const { carriers: texts } = words;
  const { provider, name, typicalMs, lastSuccessAt } = carrier;
  const periods = [
    { period: texts.hour, ...carrier.hour },
    { period: texts.day, ...carrier.day },
  ];
  const bookings = table(words, `${texts.bookings}: ${name}`, periods, [
    [texts.period, ({ period }) => period],
    ...countsIn(words),
    [texts.sending, ({ sending }) => sending],
  ]);
  return html`<section class="card" aria-labelledby="carrier-${provider}">
<h2 id="carrier-${provider}"><bdi>${name}</bdi></h2>
${facts([
  [texts.typical, typicalMs === null ? null : filled(texts.milliseconds, { ms: typicalMs })],
  [texts.lastSuccess, moment(lastSuccessAt, words) ?? html`<span class="error">${texts.noSuccess}</span>`],
  [words.statuses.pending, waiting(carrier.pending, carrier.oldestPendingSeconds, words)],
  [
    words.statuses.needs_attention,
    carrier.needsAttention === 0
      ? 0
      : html`<a href="/panel/attention?carrier=${provider}" class="error">${waiting(carrier.needsAttention, carrier.oldestNeedsAttentionSeconds, words)}</a>`,
  ],
])}
${bookings}
${carrier.troubled.length === 0 ? null : troubled(carrier, words)}
</section>`;
}

function countsIn({ carriers: texts }: Words): Column<CarrierHealth['day']>[] {
  return [
    [texts.asked, ({ asked }) => asked],
    [texts.accepted, ({ accepted }) => accepted],
    [texts.rejected, ({ rejected }) => rejected],
    [texts.notSent, ({ notSent }) => notSent],
    [texts.unknown, ({ unknown }) => (unknown === 0 ? 0 : html`<span class="error">${unknown}</span>`)],
  ];
}

function waiting(count: number, seconds: number, { carriers: texts }: Words): string {
  return count === 0 ? '0' : filled(texts.waiting, { count, minutes: Math.round(seconds / 60) });
}

function troubled({ name, troubled: licenses }: CarrierHealth, words: Words): Html {
  const { carriers: texts, story } = words;
  const days = licenses.map(({ day, ...license }) => ({ ...license, ...day }));
  const list = table(words, `${name}: ${texts.troubled}`, days, [
    [
      story.merchant,
      ({ accountId, merchant }) => html`<a href="/panel/a/${accountId}/shipments"><bdi>${merchant}</bdi></a>`,
    ],
    [words.license, ({ license }) => html`<bdi>${license}</bdi>`],
    ...countsIn(words),
  ]);
  return html`<details><summary>${texts.troubled}</summary>
${list}</details>`;
}

export const carrierScreens = [show];
