import { createAccountExport } from '../../../../api/v2/exports/account-export.js';
import { exportRoutes } from '../../../../api/v2/exports/routes.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { findExportLink, listExports } from '../../../../db/queries/exports/exports.js';
import { notFound } from '../../../../domain/errors.js';
import { type ExportRecord, exportFilename } from '../../../../domain/exports.js';
import { type Html, html } from '../../../../domain/html.js';
import { isUsable } from '../../../../domain/license.js';
import { SHIPPING_STATUSES } from '../../../../domain/statuses.js';
import { israelDayEnd, israelDayOf, israelDayStart } from '../../../../lib/israel-time.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { nowIso } from '../../../../lib/time.js';
import { filledFields } from '../form.js';
import { type Column, code, day, moment, select, table } from '../layout.js';
import {
  alert,
  chosen,
  fieldsOf,
  keysetPage,
  labelChoice,
  livePage,
  serviceTypes,
  shownOf,
  state,
} from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, type Live, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import { filled } from '../words/words.js';

const show = accountScreen('get', '/exports', 'manage', (visit) => page(visit));

/** The account's licenses as this page needs them. */
interface Licenses {
  /** Usable ones, in which an export can be made. */
  usable: readonly LicenseSummary[];
  /** Names of all by id, usable or not. */
  names: ReadonlyMap<number, string>;
}

async function licensesOf({ app, account }: AccountVisit): Promise<Licenses> {
  const all = await listLicenseSummaries(app.db, account.id);
  return {
    usable: all.filter((license) => isUsable(license, nowIso())),
    names: new Map(all.map(({ id, name }) => [id, name])),
  };
}

async function page(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words, account } = visit;
  const { exports: texts } = words;
  const licenses = await licensesOf(visit);
  if (licenses.usable.length === 0) {
    return { title: texts.title, main: html`<p class="nothing">${words.noLicense}</p>` };
  }
  return livePage(visit, {
    title: texts.title,
    main: (
      part,
    ) => html`<p>${filled(texts.intro, { email: account.email, days: LIMITS.exports.linkDays })}</p>
${alert(refusal)}
${today(visit, licenses)}
<h2>${texts.others}</h2>
${creation(visit, licenses, refusal)}
<h2>${texts.made}</h2>
${part}`,
    live: await list(visit, licenses),
  });
}

/** The day's shipments in one click. The day is the one of the click, however long the page was open. */
function today(visit: AccountVisit, { names, usable }: Licenses): Html {
  const { words } = visit;
  return html`<form method="post" action="${pathOf(visit)}">
${names.size === 1 ? chosen('license', String(usable[0]?.id ?? '')) : null}
<button name="day" value="today">${words.exports.today}</button>
${names.size > 1 ? html`<p class="hint">${words.exports.todayHint}</p>` : null}
</form>`;
}

function pathOf({ account }: AccountVisit): string {
  return `/panel/a/${account.id}/exports`;
}

function creation(visit: AccountVisit, { names, usable }: Licenses, refusal: Refusal | null): Html {
  const { words, form } = visit;
  const { exports: texts, shipments } = words;
  const value = (name: string) => form.get(name) ?? '';
  const input = fieldsOf(form, refusal, 'filter.');
  const statuses = SHIPPING_STATUSES.map(({ code: status }) => [status, words.statuses[status]] as const);
  const activity = Object.entries({ '': texts.anyActivity, true: texts.active, false: texts.inactive });
  const types = [['', texts.anyType] as const, ...serviceTypes(words)];
  const formats = Object.entries({ xlsx: texts.workbook, csv: texts.csv });
  const licenses = usable.map(({ id, name }) => [String(id), name] as const);
  return html`<form method="post" action="${pathOf(visit)}" class="sheet">
<fieldset>
${
  names.size > 1
    ? select('license', words.license, [['', shipments.anyLicense], ...licenses], value('license'))
    : chosen('license', licenses[0]?.[0] ?? '')
}
${input('created_from', shipments.from, { type: 'date' })}
${input('created_to', shipments.to, { type: 'date' })}
${select('status', shipments.status, [['', shipments.anyStatus], ...statuses], value('status'))}
${labelChoice({ words }, value('label'))}
${select('active', texts.activity, activity, value('active'))}
${select('type', words.form.type, types, value('type'))}
${select('format', texts.format, formats, value('format'))}
</fieldset>
<button class="second">${texts.create}</button>
</form>`;
}

/** The newest exports, until none is being written. */
async function list(visit: AccountVisit, { names }: Licenses): Promise<Live> {
  const { app, account, words } = visit;
  const { exports: texts } = words;
  const found = await listExports(app.db, { accountId: account.id, ...keysetPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const isOpen = shown.some(({ status }) => status === 'pending' || status === 'processing');
  const files = await Promise.all(
    shown.map(async (one) => ({
      ...one,
      file: await file(visit, one),
    })),
  );
  const licenseColumn: Column<ExportRecord> = [
    words.license,
    ({ licenseId }) =>
      licenseId === null ? words.shipments.anyLicense : html`<bdi>${names.get(licenseId) ?? licenseId}</bdi>`,
  ];
  const exports = table(words, texts.title, files, [
    // First, where a phone shows it without scrolling.
    [words.state, (one) => stateText(visit, one)],
    [words.time, ({ createdAt }) => moment(createdAt, words)],
    ...(names.size > 1 ? [licenseColumn] : []),
    [texts.format, ({ format }) => code(format)],
    [texts.filter, (one) => filterText(visit, one)],
    [texts.rows, ({ rowCount, rowsWritten }) => rowCount ?? rowsWritten ?? ''],
    [texts.file, (one) => one.file],
  ]);
  const content = html`${exports}
${next}`;
  return { id: 'exports', content, isOpen };
}

/** The state; of one that hangs, what the last try met and when the next one is. */
function stateText({ words }: AccountVisit, record: ExportRecord): Html {
  const { status, error, attempts, lastError, nextAttemptAt } = record;
  const { exports: texts } = words;
  const next = nextAttemptAt === null ? null : html`<br>${texts.nextTry} ${moment(nextAttemptAt, words)}`;
  const trouble =
    lastError === null || status !== 'processing'
      ? null
      : html`<p class="hint">${filled(texts.tries, { count: attempts })} <bdi dir="auto">${lastError}</bdi>${next}</p>`;
  return html`${state(status, texts.statuses[status])} <bdi dir="auto">${error ?? ''}</bdi>${trouble}`;
}

function filterText({ words }: AccountVisit, { filter }: ExportRecord): Html {
  const { createdFrom, createdTo, status, labelGenerated, active, type } = filter;
  const { exports: texts, form, shipments } = words;
  const parts = [
    status === undefined ? null : words.statuses[status],
    labelGenerated === undefined
      ? null
      : `${shipments.label}: ${labelGenerated ? shipments.withLabel : shipments.withoutLabel}`,
    active === undefined ? null : active ? texts.active : texts.inactive,
    type === undefined ? null : type === 1 ? form.delivery : form.collection,
    createdFrom === undefined && createdTo === undefined
      ? null
      : html`<bdi>${boundText(createdFrom, israelDayStart, words)}</bdi> – <bdi>${boundText(createdTo, israelDayEnd, words)}</bdi>`,
  ].filter((part) => part !== null);
  return html`${parts.length === 0 ? words.everything : parts.map((part) => html`<div>${part}</div>`)}`;
}

/** A bound of the filter: the day where it is one of Israel's, as the panel asks, else the moment. */
function boundText(
  iso: string | undefined,
  bound: typeof israelDayStart,
  words: AccountVisit['words'],
): Html | string {
  if (iso === undefined) return '…';
  const isDay = bound(israelDayOf(iso)) === iso;
  return (isDay ? day(iso, words) : moment(iso, words)) ?? '';
}

/** The link to the file while it works, from the first try of its mail on. */
async function file({ app, words }: AccountVisit, record: ExportRecord): Promise<Html | null> {
  const { fileUuid, isMailed } = record;
  const { exports: texts } = words;
  const link = fileUuid === null ? null : await findExportLink(app.db, fileUuid);
  const mailed = isMailed ? texts.mailed : texts.toBeMailed;
  if (link === null) return null;
  if (!link.isOpen) return html`${isMailed ? mailed : null}`;
  const name = exportFilename(record);
  return html`<a href="/storage/export/${fileUuid}/${name}" download>${texts.download}</a>, ${mailed}`;
}

const create = accountForm('/exports', 'manage', page, async (visit) => {
  const { form, call } = visit;
  const {
    license: licenseId,
    day: oneDay,
    active,
    label,
    format,
    created_from: firstDay,
    created_to: lastDay,
    ...filter
  } = filledFields(form, [
    'license',
    'day',
    'active',
    'label',
    'format',
    'type',
    'status',
    'created_from',
    'created_to',
  ]);
  const onToday = oneDay === 'today' ? israelDayOf(nowIso()) : undefined;
  const from = onToday ?? firstDay;
  const to = onToday ?? lastDay;
  const body = {
    filter: {
      ...filter,
      ...(from === undefined ? {} : { created_from: israelDayStart(from) ?? from }),
      ...(to === undefined ? {} : { created_to: israelDayEnd(to) ?? to }),
      ...(active === undefined ? {} : { active: active === 'true' }),
      ...(label === undefined ? {} : { label_generated: label === 'true' }),
    },
    format: format ?? 'xlsx',
  };
  if (licenseId === undefined) {
    await call(createAccountExport, { body });
  } else {
    const { usable } = await licensesOf(visit);
    const license = usable.find(({ id }) => String(id) === licenseId);
    if (license === undefined) throw notFound('license');
    await call(exportRoutes.create, { license: license.key, body });
  }
  return { to: pathOf(visit), notice: 'started' };
});

export const exportScreens = [show, create];
