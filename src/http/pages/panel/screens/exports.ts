import { ExportSchema } from '../../../../api/v2/exports/schema.js';
import { dataOf } from '../../../../api/v2/schemas.js';
import { findExportLink, listExports } from '../../../../db/queries/exports/exports.js';
import { type ExportRecord, exportFilename } from '../../../../domain/exports.js';
import { type Html, html } from '../../../../domain/html.js';
import { SHIPPING_STATUSES } from '../../../../domain/statuses.js';
import { israelDayEnd, israelDayOf, israelDayStart } from '../../../../lib/israel-time.js';
import { filledFields, type Refusal } from '../form.js';
import { code, day, moment, select, table } from '../layout.js';
import {
  inLicense,
  type LicenseVisit,
  licenseChoice,
  licenseForm,
  licenseScreen,
} from '../license-screen.js';
import { alert, fieldsOf, keysetPage, labelChoice, livePage, shownOf, state } from '../parts.js';
import type { Live, ScreenPage } from '../screen.js';
import { filled } from '../words/words.js';

const exportAnswer = dataOf(ExportSchema);

const show = licenseScreen('get', '/exports', 'manage', (visit) => page(visit));

async function page(visit: LicenseVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words, account } = visit;
  return livePage(visit, {
    title: words.exports.title,
    main: (part) => html`${licenseChoice(visit)}
<p>${filled(words.exports.intro, { email: account.email })}</p>
${creation(visit, refusal)}
<h2>${words.exports.made}</h2>
${part}`,
    live: await list(visit),
  });
}

function creation(visit: LicenseVisit, refusal: Refusal | null): Html {
  const { words, form } = visit;
  const { exports: texts, shipments } = words;
  const value = (name: string) => form.get(name) ?? '';
  const input = fieldsOf(form, refusal, 'filter.');
  const statuses = SHIPPING_STATUSES.map(({ code: status }) => [status, words.statuses[status]] as const);
  const activity = Object.entries({ '': texts.anyActivity, true: texts.active, false: texts.inactive });
  const types = [
    ['', texts.anyType],
    ['1', words.form.delivery],
    ['2', words.form.collection],
  ] as const;
  const formats = Object.entries({ xlsx: texts.workbook, csv: texts.csv });
  return html`<form method="post" action="${inLicense(visit, '/exports')}" class="sheet">
${alert(refusal)}
<fieldset>
${input('created_from', shipments.from, { type: 'date' })}
${input('created_to', shipments.to, { type: 'date' })}
${select('status', shipments.status, [['', shipments.anyStatus], ...statuses], value('status'))}
${labelChoice({ words }, value('label'))}
${select('active', texts.activity, activity, value('active'))}
${select('type', words.form.type, types, value('type'))}
${select('format', texts.format, formats, value('format'))}
</fieldset>
<button>${texts.create}</button>
</form>`;
}

/** The newest exports, until none is being written. */
async function list(visit: LicenseVisit): Promise<Live> {
  const { app, account, license, words } = visit;
  const { exports: texts } = words;
  const scope = { accountId: account.id, licenseId: license.id };
  const found = await listExports(app.db, { ...scope, ...keysetPage(visit) });
  const { shown, next } = shownOf(found, visit, (after) => inLicense(visit, '/exports', { after }));
  const isOpen = shown.some(({ status }) => status === 'pending' || status === 'processing');
  const files = await Promise.all(
    shown.map(async (one) => ({
      ...one,
      file: await file(visit, one),
    })),
  );
  const exports = table(words, texts.title, files, [
    [words.time, ({ createdAt }) => moment(createdAt, words)],
    [texts.format, ({ format }) => code(format)],
    [texts.filter, (one) => filterText(visit, one)],
    [
      words.state,
      ({ status, error }) =>
        html`${state(status, texts.statuses[status])} <bdi dir="auto">${error ?? ''}</bdi>`,
    ],
    [texts.rows, ({ rowCount }) => rowCount ?? ''],
    [texts.file, (one) => one.file],
  ]);
  const content = html`${exports}
${next}`;
  return { id: 'exports', content, isOpen };
}

function filterText({ words }: LicenseVisit, { filter }: ExportRecord): Html {
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
  words: LicenseVisit['words'],
): Html | string {
  if (iso === undefined) return '…';
  const isDay = bound(israelDayOf(iso)) === iso;
  return (isDay ? day(iso, words) : moment(iso, words)) ?? '';
}

/** The link to the file while it works, from the first try of its mail on. */
async function file({ app, words }: LicenseVisit, record: ExportRecord): Promise<Html | null> {
  const { fileUuid, isMailed } = record;
  const { exports: texts } = words;
  const link = fileUuid === null ? null : await findExportLink(app.db, fileUuid);
  const mailed = isMailed ? texts.mailed : texts.toBeMailed;
  if (link === null) return null;
  if (!link.isOpen) return html`${isMailed ? mailed : null}`;
  const name = exportFilename(record);
  return html`<a href="/storage/export/${fileUuid}/${name}" download>${texts.download}</a>, ${mailed}`;
}

const create = licenseForm('/exports', 'manage', page, async (visit) => {
  const { form, license, v2 } = visit;
  const {
    active,
    label,
    format,
    created_from: from,
    created_to: to,
    ...filter
  } = filledFields(form, ['active', 'label', 'format', 'type', 'status', 'created_from', 'created_to']);
  const body = {
    license_key: license.key,
    filter: {
      ...filter,
      ...(from === undefined ? {} : { created_from: israelDayStart(from) ?? from }),
      ...(to === undefined ? {} : { created_to: israelDayEnd(to) ?? to }),
      ...(active === undefined ? {} : { active: active === 'true' }),
      ...(label === undefined ? {} : { label_generated: label === 'true' }),
    },
    format: format ?? 'xlsx',
  };
  await v2('createExport', { body }, exportAnswer);
  return { to: inLicense(visit, '/exports'), notice: 'started' };
});

export const exportScreens = [show, create];
