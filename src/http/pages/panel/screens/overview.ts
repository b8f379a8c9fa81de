import { type Html, html } from '../../../../domain/html.js';
import { hostOf } from '../../../../domain/webhook-host.js';
import { israelDayOf, israelDayStart } from '../../../../lib/israel-time.js';
import { nowIso } from '../../../../lib/time.js';
import { serviceOverview } from '../../../../services/operations/service-figures.js';
import type { MountedApp } from '../../../mounted-app.js';
import { duration } from '../duration.js';
import { code, moment, table } from '../layout.js';
import { polls } from '../parts.js';
import { screen } from '../screen.js';
import type { Words } from '../words/en.js';
import { searchBox } from './search-all.js';

type Overview = Awaited<ReturnType<typeof serviceOverview>>;

const show = screen('get', '/overview', 'operate', async ({ app, words }) => {
  const { overview: texts } = words;
  const overview = await serviceOverview(app, { since: israelDayStart(israelDayOf(nowIso())) ?? nowIso() });
  const part = html`<div id="now"${polls('/panel/overview', 15)}>
${numbers(overview, words)}
<h2>${texts.carriers}</h2>
${carriers(overview, words, app.adapters)}
<h2 id="failing">${texts.failing}</h2>
${failing(overview, words)}
<h2>${texts.queues}</h2>
${queues(overview, words)}
</div>`;
  return {
    title: texts.title,
    main: html`${searchBox(words, '')}
${part}`,
    part,
  };
});

/** The figures that a person looks at first; those that need one are marked. */
function numbers({ shipments, work, created }: Overview, words: Words): Html {
  const { overview: texts } = words;
  const waiting = shipments.filter(({ status }) => status === 'needs_attention');
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  const oldest = Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds));
  const one = (name: string, value: number, seconds: number | null, link?: string, isBad = false) =>
    html`<div class="card${isBad && value > 0 ? ' bad' : ''}"><b>${link === undefined ? value : html`<a href="${link}" aria-label="${name}: ${value}">${value}</a>`}</b>
<span>${link === undefined ? name : html`<a href="${link}">${name}</a>`}</span>
${seconds === null || value === 0 ? null : html`<small>${texts.age}: ${duration(seconds, words)}</small>`}</div>`;
  return html`<div class="numbers">
${one(words.attention.title, count, oldest, '/panel/attention', true)}
${one(texts.today, created, null, '/panel/figures')}
${one(texts.failing, work.failing.count, work.failing.oldestSeconds, '#failing', true)}
${one(texts.deliveries, work.deliveries.count, work.deliveries.oldestSeconds)}
${one(texts.mails, work.mails.count, work.mails.oldestSeconds)}
${one(texts.batches, work.batches.count, work.batches.oldestSeconds)}
${one(texts.exports, work.exports.count, work.exports.oldestSeconds)}
</div>`;
}

function carriers({ shipments }: Overview, words: Words, adapters: MountedApp['adapters']): Html {
  const { overview: texts } = words;
  const names = new Map(adapters.map(({ provider, displayName }) => [provider, displayName]));
  return table(words, texts.carriers, shipments, [
    [words.carrier, ({ provider }) => html`<bdi>${names.get(provider) ?? provider}</bdi>`],
    [words.state, ({ status }) => words.statuses[status === 'pending' ? status : 'needs_attention']],
    [
      texts.count,
      ({ status, count }) =>
        html`<a href="/panel/${status === 'pending' ? 'carriers' : 'attention'}">${count}</a>`,
    ],
    [texts.age, ({ oldestSeconds }) => duration(oldestSeconds, words)],
  ]);
}

function failing(overview: Overview, words: Words): Html {
  const { overview: texts } = words;
  return table(words, texts.failing, overview.failing, [
    [
      words.story.merchant,
      ({ accountId, account }) => html`<a href="/panel/a/${accountId}/webhooks"><bdi>${account}</bdi></a>`,
    ],
    [words.story.host, ({ url }) => code(hostOf(url))],
    [words.since, ({ since }) => moment(since, words)],
  ]);
}

function queues(overview: Overview, words: Words): Html {
  const { overview: texts } = words;
  if (overview.queues === null) return html`<p class="error">${texts.noEngine}</p>`;
  return table(words, texts.queues, overview.queues, [
    [texts.queue, ({ queue, type }) => code(`${queue} (${type})`)],
    [texts.backlog, ({ backlog }) => backlog],
    [
      texts.age,
      ({ backlog, oldestSeconds }) => (backlog === 0 ? words.none : duration(oldestSeconds, words)),
    ],
    [texts.workers, ({ pollers }) => (pollers === 0 ? html`<span class="error">0</span>` : pollers)],
  ]);
}

/** Where a user begins: the overview for an operator, or the shipments of a merchant. */
const home = screen('get', '/', 'self', async ({ user }) => ({
  to: user.accountId === null ? '/panel/overview' : `/panel/a/${user.accountId}/shipments`,
}));

export const overviewScreens = [home, show];
