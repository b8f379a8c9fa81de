import { type Html, html } from '../../../../domain/html.js';
import type { FieldName } from '../../../../services/admin/license-fields.js';
import { licenseState, type ShownLicense } from '../../../../services/admin/licenses.js';
import { describeSettings } from '../../../../services/admin/settings.js';
import { changedIn, edited, type Present } from '../edited.js';
import { code, facts, moment } from '../layout.js';
import {
  COLLECTION,
  flagBoxes,
  flagsGiven,
  LABELS,
  licenseGiven,
  licenseInputs,
  presentOf,
} from '../license-fields.js';
import { alert } from '../parts.js';
import type { AccountVisit, ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import { filled } from '../words/words.js';

/** Fields of a license that a merchant decides; the rest is agreed with the carrier, or with who runs the service. */
const SHOP: readonly FieldName[] = ['domain', 'blockedStatuses'];
const OWN: readonly FieldName[] = [...COLLECTION, ...LABELS, ...SHOP];

interface Subject {
  license: ShownLicense;
  /** Undefined for a carrier that this version lacks. */
  adapter: AccountVisit['app']['adapters'][number] | undefined;
}

/** A license as an owner of its account sees it. */
export function ownLicensePage(
  { account, form: sent, words }: AccountVisit,
  { license, adapter }: Subject,
  refusal: Refusal | null,
): ScreenPage {
  const { licenses: texts, mine } = words;
  const { form, was } = edited(sent, ownPresentOf(license));
  const shown = { form, words, refusal };
  const needed = adapter?.needsCollectionAddress === true;
  const part = (legend: string, inputs: readonly Html[]) =>
    html`<fieldset><legend>${legend}</legend>${inputs}</fieldset>`;
  return {
    title: license.name,
    main: html`${facts([
      [texts.key, code(license.key)],
      [words.carrier, html`<bdi>${license.company.name}</bdi>`],
      [words.state, texts.states[licenseState(license)]],
      [texts.expires, moment(license.expiresAt, words)],
      [texts.fields.orderPrefix, code(license.orderPrefix ?? null)],
      [texts.fields.multipleShipment, license.multipleShipment ? words.yes : words.no],
      [texts.settings, settingsState({ license, adapter }, words)],
    ])}
<p>${mine.keyHint}</p>
<form method="post" action="/panel/a/${account.id}/licenses/${license.id}" class="sheet">${was}
${alert(refusal)}
${part(texts.collection, [...(needed ? [html`<p>${mine.addressNeeded}</p>`] : []), ...licenseInputs(shown, COLLECTION, needed)])}
${part(texts.labels, licenseInputs(shown, LABELS))}${flagBoxes(shown)}${part(texts.shop, licenseInputs(shown, SHOP))}
<button>${words.save}</button></form>`,
  };
}

/** Whether the carrier's settings are whole; an owner does not see them. */
function settingsState({ license, adapter }: Subject, { mine }: AccountVisit['words']): Html | null {
  if (adapter === undefined) return null;
  const set = new Set([...Object.keys(license.settings ?? {}), ...(license.secrets ?? [])]);
  const missing = describeSettings(adapter).filter(({ name, isRequired }) => isRequired && !set.has(name));
  if (missing.length === 0) return html`${mine.whole}`;
  const names = missing.map(({ name }) => name).join(', ');
  return html`<span class="error">${filled(mine.missing, { names })}</span>`;
}

function ownPresentOf(license: ShownLicense): Present {
  return presentOf(license, { fields: OWN });
}

/** Changes in an owner's form; another field in it has no effect. */
export function ownChanges({ form, words }: AccountVisit, license: ShownLicense) {
  const changed = changedIn(form, ownPresentOf(license), words);
  return { ...licenseGiven(form, OWN, (input) => changed.has(input)), flags: flagsGiven(form, changed) };
}
