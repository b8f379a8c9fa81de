import { SETTINGS_FLAGS } from '../../../db/queries/accounts/licenses.js';
import { type Html, html } from '../../../domain/html.js';
import {
  type FieldName,
  FORM_FIELDS,
  type FormField,
  NEEDED_ADDRESS,
} from '../../../services/admin/license-fields.js';
import type { ShownLicense } from '../../../services/admin/licenses.js';
import type { SettingDescription } from '../../../services/admin/settings.js';
import type { Present } from './edited.js';
import { settingLabel } from './labels.js';
import { field, select } from './layout.js';
import { checkbox, fieldsOf } from './parts.js';
import type { AccountVisit } from './screen.js';
import type { Refusal } from './told.js';
import type { Words } from './words/en.js';
import { filled } from './words/words.js';

export const USUAL: readonly FieldName[] = [
  'name',
  'orderPrefix',
  'multipleShipment',
  'sandbox',
  'expires',
  'key',
];
export const COLLECTION: readonly FieldName[] = [
  'collectStreet',
  'collectNumber',
  'collectCity',
  'collectCompany',
];
export const LABELS: readonly FieldName[] = ['labelMethod', 'labelType'];
export const SHOP: readonly FieldName[] = ['domain', 'blockedStatuses', 'commitmentDay'];
export const FIELD_NAMES: readonly FieldName[] = [...USUAL, ...COLLECTION, ...LABELS, ...SHOP];

/** Names under which a stored license has a field. */
const STORED_AS: Partial<Record<FieldName, string>> = {
  expires: 'expiresAt',
  collectNumber: 'collectStreetNumber',
  sandbox: 'isSandbox',
};

/** The name of a field's input: `key` is the form's own. */
function inputOf(name: FieldName): string {
  return name === 'key' ? 'licenseKey' : name;
}

/** A form about a license. `form`: what its fields show. */
export interface LicenseForm extends Pick<AccountVisit, 'form' | 'words'> {
  refusal: Refusal | null;
}

/** Inputs for these fields of a license. `isNeeded`: whether its carrier needs the collection address. */
export function licenseInputs(shown: LicenseForm, names: readonly FieldName[], isNeeded = false): Html[] {
  const required: readonly FieldName[] = isNeeded ? ['name', ...NEEDED_ADDRESS] : ['name'];
  return names.map((name) =>
    licenseInput(shown, name, { kind: FORM_FIELDS[name], required: required.includes(name) }),
  );
}

function licenseInput(
  { form, words, refusal }: LicenseForm,
  name: FieldName,
  { kind, required }: { kind: FormField; required: boolean },
): Html {
  const { fields: texts, choices } = words.licenses;
  if (kind === 'switch') return checkbox(name, texts[name], { value: 'on', isChecked: form.has(name) });
  const value = form.get(inputOf(name)) ?? '';
  if (typeof kind === 'object') {
    const named: Partial<Record<string, string>> = choices;
    return select(
      name,
      texts[name],
      kind.map((one) => [one, named[one] ?? choices.asAccount] as const),
      value,
    );
  }
  const hints: Partial<Record<FieldName, string>> = words.licenses.hints;
  const hint = kind === 'day' ? words.endsHint : hints[name];
  return fieldsOf(form, refusal)(inputOf(name), texts[name], {
    value,
    error: (refusal?.fields[name] ?? refusal?.fields[inputOf(name)])?.[0],
    type: kind === 'day' ? 'date' : kind === 'number' ? 'number' : 'text',
    ltr: kind !== 'text',
    required,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A license's value in a field, as its input shows it. */
function storedText(license: ShownLicense, name: FieldName): string {
  const value: unknown = Reflect.get(license, STORED_AS[name] ?? name);
  if (Array.isArray(value)) return value.join(', ');
  const text = String(value ?? '');
  return name === 'expires' ? text.slice(0, 10) : text;
}

/** Those fields whose inputs `isMeant`, as the use case takes them. A license always has a key. */
export function licenseGiven(
  form: URLSearchParams,
  names: readonly FieldName[],
  isMeant: (input: string) => boolean,
): Record<string, unknown> {
  const isNoKey = (name: FieldName) => name === 'key' && (form.get(inputOf(name))?.trim() ?? '') === '';
  const meant = names.filter((name) => isMeant(inputOf(name)) && !isNoKey(name));
  return Object.fromEntries(
    meant.map((name) => [name, valueOf(form.get(inputOf(name))?.trim() ?? '', name, FORM_FIELDS[name])]),
  );
}

function valueOf(text: string, name: FieldName, kind: FormField): unknown {
  if (kind === 'switch') return text !== '';
  if (kind === 'number') return text === '' ? 0 : Number(text);
  if (kind === 'list') {
    return text
      .split(/[,\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== '');
  }
  const isCleared = text === '' && (kind === 'day' || name === 'domain');
  return isCleared ? null : text;
}

/** Boxes for the switches of labels and notes. */
export function flagBoxes({ form, words }: LicenseForm): Html {
  const boxes = Object.entries(words.licenses.flags).map(([name, text]) =>
    checkbox(`f.${name}`, text, { value: 'on', isChecked: form.has(`f.${name}`) }),
  );
  return html`<fieldset class="checks"><legend>${words.licenses.flagsTitle}</legend>${boxes}</fieldset>`;
}

/** The changed switches as the form has them. */
export function flagsGiven(form: URLSearchParams, changed: ReadonlySet<string>): Record<string, boolean> {
  const names = SETTINGS_FLAGS.filter((name) => changed.has(`f.${name}`));
  return Object.fromEntries(names.map((name) => [name, form.has(`f.${name}`)]));
}

/** Present values of a license in these fields and its switches, by the names of the form; `settings`: with its company. */
export function presentOf(
  license: ShownLicense,
  {
    fields = FIELD_NAMES,
    settings,
  }: { fields?: readonly FieldName[]; settings?: readonly SettingDescription[] },
): Present {
  const now = new URLSearchParams(settings === undefined ? {} : { companyName: license.company.name });
  for (const name of fields) {
    const text = storedText(license, name);
    if (FORM_FIELDS[name] !== 'switch') now.set(inputOf(name), text);
    else if (text === 'true') now.set(name, 'on');
  }
  for (const [name, isOn] of Object.entries(license.flags ?? {})) if (isOn) now.set(`f.${name}`, 'on');
  const shown = (settings ?? []).filter(({ isSecret }) => !isSecret).map(({ name }) => name);
  for (const name of shown) now.set(`s.${name}`, storedSetting(license, name));
  const flags = SETTINGS_FLAGS.map((name) => `f.${name}`);
  const company = settings === undefined ? [] : ['companyName'];
  return {
    names: [...company, ...fields.map(inputOf), ...flags, ...shown.map((name) => `s.${name}`)],
    now,
  };
}

function storedSetting({ settings }: ShownLicense, name: string): string {
  const stored: unknown = settings === undefined ? undefined : Reflect.get(settings, name);
  return stored === undefined ? '' : typeof stored === 'string' ? stored : JSON.stringify(stored);
}

/** An input for one of the carrier's settings. An empty secret keeps the stored one. */
export function settingInput(
  { form, words, refusal }: LicenseForm,
  setting: SettingDescription,
  license: ShownLicense | null,
): Html {
  const { name, isSecret, isRequired } = setting;
  const isSet = license?.secrets?.includes(name) ?? false;
  const path = `settings.${name}`;
  const [, error] =
    Object.entries(refusal?.fields ?? {}).find(
      ([at]) => at === path || at === `s.${name}` || at.startsWith(`${path}.`),
    ) ?? [];
  return field(`s.${name}`, settingLabel(words, name), {
    ltr: true,
    type: isSecret ? 'password' : 'text',
    value: isSecret ? '' : (form.get(`s.${name}`) ?? ''),
    hint: isSecret && isSet ? words.licenses.isSet : settingHint(words, setting),
    error: error?.[0],
    required: isRequired && !isSet,
    autocomplete: isSecret ? 'new-password' : 'off',
  });
}

/** The meaning of a setting, and the form of its value. */
function settingHint({ carrierSettings: texts }: Words, { name, meaning, form }: SettingDescription): string {
  const meanings: Readonly<Record<string, string>> = texts.meanings ?? {};
  const { choices, least, most, examples } = form;
  const [example] = examples;
  const range =
    least === null
      ? null
      : most === null
        ? filled(texts.form.least, { least })
        : filled(texts.form.range, { least, most });
  return [
    meanings[name] ?? meaning,
    choices.length === 0 ? null : filled(texts.form.oneOf, { choices: choices.join(', ') }),
    range,
    example === undefined ? null : filled(texts.form.like, { example }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The carrier's settings as the form has them. */
export function settingsGiven(form: URLSearchParams, settings: readonly SettingDescription[]) {
  const set: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const unset: string[] = [];
  for (const { name, isSecret } of settings) {
    const value = form.get(`s.${name}`)?.trim() ?? '';
    if (value !== '') (isSecret ? secrets : set)[name] = value;
    else if (!isSecret) unset.push(name);
  }
  return { set, secrets, unset };
}
