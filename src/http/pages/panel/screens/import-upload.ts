import { itemCheck } from '../../../../api/v2/batches/check-item.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { type ImportDraft, listOpenDrafts } from '../../../../db/queries/imports/drafts.js';
import { listPresets } from '../../../../db/queries/kept/presets.js';
import { AppError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { quoted } from '../../../../domain/problems/problem.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { type Refused, startDraft } from '../../../../services/imports/drafts.js';
import { labelled, moment, select } from '../layout.js';
import { licenseIn, licenseSelect, usableLicenses } from '../license-screen.js';
import { alert, textArea } from '../parts.js';
import { type AccountVisit, accountForm, type Screen, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

/** The form that takes orders from a file or a pasted table, and the files whose orders are not all created yet. */
export async function uploadForm(
  visit: AccountVisit,
  licenses: readonly LicenseSummary[],
  refusal: Refusal | null = null,
): Promise<Html> {
  const { words, account, form, app } = visit;
  const { imports: texts } = words;
  const presets = await listPresets(app.db, account.id);
  const drafts = await listOpenDrafts(app.db, { accountId: account.id, limit: 5 });
  const file = labelled(
    { name: 'file', label: texts.file, required: false, hint: texts.fileHint, error: undefined },
    (described) =>
      html`<input id="file" name="file" type="file" accept=".csv,.tsv,.txt,.xlsx,text/csv"${described}>`,
  );
  return html`<form method="post" enctype="multipart/form-data" action="/panel/a/${account.id}/imports/new" class="sheet">
${alert(refusal)}
${licenses.length > 1 ? licenseSelect(words, licenses, form.get('license')) : null}
${file}
${presets.length === 0 ? null : select('preset', words.kept.preset, [['', words.none], ...presets.map(({ id, name }) => [String(id), name] as const)], form.get('preset') ?? '')}
<details${(form.get('table') ?? '') === '' ? null : html` open`}><summary>${texts.paste}</summary>
${textArea('table', texts.pasted, { value: form.get('table') ?? '', direction: 'auto', rows: 8, required: false, hint: texts.pasteHint })}
</details>
<button>${texts.check}</button>
</form>
${
  drafts.length === 0
    ? null
    : html`<h2>${texts.open}</h2><ul>${drafts.map(
        (draft) =>
          html`<li><a href="/panel/a/${account.id}/imports/${draft.uuid}"><bdi>${draftName(draft, words)}</bdi></a> · ${moment(draft.createdAt, words)}</li>`,
      )}</ul>`
}`;
}

/** The name of a draft: its file, or where its orders come from. */
export function draftName(
  { fileName, corrects }: Pick<ImportDraft, 'fileName' | 'corrects'>,
  { imports: texts }: Words,
): string {
  return fileName || (corrects === null ? texts.pasted : texts.corrected);
}

async function uploadPage(visit: AccountVisit, refusal: Refusal): Promise<ScreenPage> {
  return {
    title: visit.words.batches.new,
    main: await uploadForm(visit, await usableLicenses(visit), refusal),
  };
}

const form = accountForm('/imports/new', 'ship', uploadPage, async (visit) => {
  const { app, account, form: sent, file, language, words } = visit;
  const licenses = await usableLicenses(visit);
  const license = sent.has('license') ? licenseIn(licenses, sent) : licenses[0];
  if (license === undefined) throw new AppError('validation_failed', quoted(words.noLicense));
  const pasted = sent.get('table') ?? '';
  if (file === null && pasted.trim() === '')
    throw new AppError('validation_failed', quoted(words.imports.nothing));
  const preset = (await listPresets(app.db, account.id)).find(({ id }) => String(id) === sent.get('preset'));
  const draft = {
    accountId: account.id,
    licenseId: license.id,
    fileName: file?.name.slice(-255) ?? '',
    file: file?.content ?? Buffer.from(pasted),
    language,
    preset:
      preset === undefined
        ? null
        : { type: preset.serviceType, packages: preset.packages, note: preset.note },
    check: await itemCheck(app, { accountId: account.id, license }),
  };
  const started = await visit.whileWaiting(() => startDraft(app, draft));
  if (typeof started === 'string')
    throw new AppError('validation_failed', quoted(refusedText(words, started)));
  return { to: `/panel/a/${account.id}/imports/${started.uuid}` };
});

/** Why a file makes no draft, in words. */
export function refusedText({ imports }: Words, refused: Refused): string {
  const { lines, columns, fileBytes } = LIMITS.imports;
  const values = { lines, columns, orders: LIMITS.batches.items, mib: fileBytes / 1024 / 1024 };
  return filled(imports.refused[refused], values);
}

const upload: Screen = { ...form, takesFile: true };
export const importUploadScreens = [upload];
