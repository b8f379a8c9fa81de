import type { AuditEntry } from '../../../../db/queries/accounts/audit-log.js';
import { AppError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { israelDayOf } from '../../../../lib/israel-time.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { nowIso } from '../../../../lib/time.js';
import { auditCsv, auditList } from '../../../../services/admin/audit.js';
import { filledFields } from '../form.js';
import { code, field, moment, table } from '../layout.js';
import { queryWith, shownOf } from '../parts.js';
import { type ScreenPage, screen, type Visit } from '../screen.js';
import { toldFields } from '../told.js';
import { filled } from '../words/words.js';

const FILTERS = ['account', 'actor', 'action', 'target', 'since', 'until'] as const;

const show = screen('get', '/audit', 'operate', auditPage);

async function auditPage({ app, query, words }: Visit): Promise<ScreenPage> {
  const { audit: texts } = words;
  const given = filledFields(query, FILTERS);
  const beforeId = Number(query.get('before')) || undefined;
  const found = await auditList(app, {
    ...requestOf(query),
    beforeId,
    limit: LIMITS.panel.pageRows + 1,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.fields !== undefined) return toldFields(words, error.fields);
    throw error;
  });
  const entries = Array.isArray(found) ? found : [];
  const errors = Array.isArray(found) ? {} : found;
  const { shown, next } = shownOf(entries, { words }, (before) => queryWith(query, { before }));
  const list = table(words, texts.title, shown, [
    [words.time, ({ at }) => moment(at, words)],
    [texts.actor, ({ actor }) => html`<bdi dir="ltr">${actor.name}</bdi>`],
    [texts.origin, ({ actor }) => code(`${actor.kind} ${actor.origin}`)],
    [texts.action, ({ action }) => code(action)],
    [
      texts.account,
      ({ accountId, merchant }) =>
        accountId === null
          ? words.none
          : html`<a href="/panel/a/${accountId}/shipments"><bdi>${merchant}</bdi></a>`,
    ],
    [texts.target, ({ target }) => code(`${target.kind}/${target.id}`)],
    [texts.changes, changes],
  ]);
  const inputs = FILTERS.map((name) =>
    field(name, texts[name], {
      value: given[name] ?? '',
      error: errors[name]?.[0],
      ...(name === 'since' || name === 'until' ? { type: 'date' } : { ltr: true }),
    }),
  );
  return {
    title: texts.title,
    status: Array.isArray(found) ? 200 : 422,
    main: html`<form method="get" action="/panel/audit" class="filters" role="search">${inputs}<button>${words.shipments.filter}</button></form>
${list}
${next}
${entries.length === 0 ? null : html`<p><a class="button" href="/panel/audit.csv?${new URLSearchParams(given).toString()}" download>${filled(texts.csv, { count: LIMITS.panel.auditRows })}</a></p>`}`,
  };
}

/** The filters as the use case takes them. */
function requestOf(query: URLSearchParams) {
  const { account, ...filter } = filledFields(query, FILTERS);
  return { ...filter, ...(account === undefined ? {} : { account: Number(account) }) };
}

const download = screen('get', '/audit.csv', 'operate', async (visit) => {
  const request = requestOf(visit.query);
  try {
    const pieces = auditCsv(visit.app, request, LIMITS.panel.auditRows);
    const filename = `audit-${israelDayOf(nowIso())}.csv`;
    return { filename, contentType: 'text/csv; charset=utf-8', pieces };
  } catch (error) {
    if (error instanceof AppError && error.fields !== undefined) return await auditPage(visit);
    throw error;
  }
});

/** The values of a change, a line for each. */
function changes({ before, after }: AuditEntry): Html {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return html`<ul class="changes" dir="ltr">${[...names].map((name) => {
    const was = before?.[name];
    const is = after?.[name];
    return html`<li><b>${name}</b>: ${was === undefined ? null : html`<del>${text(was)}</del> `}${is === undefined ? null : html`<ins>${text(is)}</ins>`}</li>`;
  })}</ul>`;
}

export const auditScreens = [show, download];
