import type { CarrierAdapter } from '../../carriers/contract.js';
import { validationError } from '../../domain/errors.js';
import { adminProblemAt, type FieldErrors, problem } from '../../domain/problems/problem.js';
import type { JsonObject } from '../../domain/shipment.js';
import { type AppKeys, UnreadableSecret } from '../../lib/app-keys.js';
import { objectAt, valueAt } from '../../lib/json.js';
import { validatorOf } from '../../lib/schema.js';
import { brokenRules, fieldError } from './check.js';

/** Maximum bytes of sealed secrets: the column has 8192, and the id of another key may be longer by 31. */
const MAX_SEALED_BYTES = 8160;

/** A carrier's setting, for people. */
export interface SettingDescription {
  name: string;
  isRequired: boolean;
  /** Encrypted and never shown. */
  isSecret: boolean;
  rule: string;
  /** Its meaning, and who has it. */
  meaning: string;
  form: SettingForm;
}

/** The form of a setting's value. Choices leave no other value. */
interface SettingForm {
  choices: readonly string[];
  least: number | null;
  most: number | null;
  examples: readonly string[];
}

/** Changes of a license's settings: `settings`, then `set` and `secrets`, without `unset`. */
interface SettingsRequest {
  settings?: JsonObject;
  /** Values as text, converted to the types of the carrier's schema; no secrets, since a command line is kept. */
  set?: Readonly<Record<string, string>>;
  /** The same for values that were read unseen. */
  secrets?: Readonly<Record<string, string>>;
  unset?: readonly string[];
}

/** Stored settings of a license. `secrets` are sealed; null when there are none. */
interface StoredSettings {
  settings: JsonObject;
  secrets: Buffer | null;
}

/** The license settings of a carrier, in the order of its schema. */
export function describeSettings(adapter: Pick<CarrierAdapter, 'configSchema'>): SettingDescription[] {
  const required = valueAt(adapter.configSchema, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(propertiesOf(adapter)).map(([name, schema]) => ({
    name,
    isRequired: names.has(name),
    isSecret: valueAt(schema, 'x-secret') === true,
    rule: ruleOf(schema),
    meaning: String(valueAt(schema, 'description') ?? ''),
    form: formOf(schema),
  }));
}

/**
 * Applies changes to the settings, validates them by the carrier's schema and seals the secrets. @throws
 * AppError `validation_failed` at `settings.<name>`; no message holds a value
 */
export function sealedSettings(
  { appKeys }: { appKeys: AppKeys },
  adapter: Pick<CarrierAdapter, 'configSchema'>,
  request: SettingsRequest,
  before: StoredSettings = { settings: {}, secrets: null },
): StoredSettings {
  const properties = propertiesOf(adapter);
  const isHidden = ([name]: [string, unknown]) => valueAt(properties, name, 'x-secret') === true;
  const merged: Record<string, unknown> = {
    ...before.settings,
    ...openSealed(before.secrets, appKeys),
    ...request.settings,
  };
  const named = Object.entries(request.set ?? {});
  const unreadable = new Set<string>();
  const given = [...named, ...Object.entries(request.secrets ?? {})];
  for (const [name, text] of given) {
    try {
      merged[name] = valueOf(text, properties[name]);
    } catch {
      delete merged[name];
      unreadable.add(name);
    }
  }
  for (const name of request.unset ?? []) delete merged[name];
  const check = validatorOf(adapter.configSchema);
  const isValid = check(merged);
  const broken = isValid ? {} : ofSettings(brokenRules(check, 'settings'));
  for (const name of unreadable) {
    const path = `settings.${name}`;
    const type = String(valueAt(properties[name], 'type'));
    broken[path] = [adminProblemAt(path, 'setting_json', { type })];
  }
  for (const [name] of named.filter(isHidden)) {
    const path = `settings.${name}`;
    broken[path] = [adminProblemAt(path, 'setting_seen', { name })];
  }
  if (merged.base_url !== before.settings.base_url && !('settings.base_url' in broken)) {
    Object.assign(broken, clearText(merged.base_url));
  }
  if (Object.keys(broken).length > 0) throw validationError(broken);
  const entries = Object.entries(merged);
  const secrets = entries.filter(isHidden);
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isHidden(entry))),
    secrets: secrets.length === 0 ? null : seal(Object.fromEntries(secrets), appKeys),
  };
}

/** Requests to a carrier hold names, addresses and the account's token. */
function clearText(baseUrl: unknown): FieldErrors {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) return {};
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'http:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return {};
  const path = 'settings.base_url';
  return { [path]: [adminProblemAt(path, 'setting_https')] };
}

/** Sorted names of the sealed secrets. @throws AppError as {@link sealedSettings} */
export function secretNames(sealed: Buffer | null, appKeys: AppKeys): string[] {
  return Object.keys(openSealed(sealed, appKeys)).sort();
}

/** Names of the secrets before and after a change, each with `set` or `changed`; both empty where they cannot be opened. */
export function secretStates(
  { appKeys }: { appKeys: AppKeys },
  before: Buffer | null,
  after: Buffer | null,
): Record<'before' | 'after', Record<string, string>> {
  try {
    const [old, now] = [openSealed(before, appKeys), openSealed(after, appKeys)];
    const stateOf = ([name, value]: [string, unknown]): [string, string] => [
      name,
      !Object.hasOwn(old, name) || old[name] === value ? 'set' : 'changed',
    ];
    return {
      before: Object.fromEntries(Object.keys(old).map((name) => [name, 'set'])),
      after: Object.fromEntries(Object.entries(now).map(stateOf)),
    };
  } catch (error) {
    if (error instanceof SealError) return { before: {}, after: {} };
    throw error;
  }
}

/** The secrets were sealed with another APP_KEY. */
export class SealError extends Error {}

function openSealed(sealed: Buffer | null, appKeys: AppKeys): Record<string, unknown> {
  if (sealed === null) return {};
  try {
    return objectAt(JSON.parse(appKeys.openText('carrier settings', sealed))) ?? {};
  } catch (error) {
    if (error instanceof UnreadableSecret) throw new SealError(error.message);
    throw new SealError(problem('sealed').text);
  }
}

function seal(secrets: object, appKeys: AppKeys): Buffer {
  const sealed = appKeys.seal('carrier settings', JSON.stringify(secrets));
  if (sealed.length > MAX_SEALED_BYTES) {
    throw fieldError('settings', 'secrets_size', { limit: MAX_SEALED_BYTES });
  }
  return sealed;
}

/** A rule of several settings, such as a dependency, has no field. */
function ofSettings(fields: FieldErrors): FieldErrors {
  return Object.keys(fields).length === 0
    ? { settings: [adminProblemAt('settings', 'settings_fit')] }
    : fields;
}

function propertiesOf({ configSchema }: Pick<CarrierAdapter, 'configSchema'>): JsonObject {
  return objectAt(configSchema, 'properties') ?? {};
}

/** @throws SyntaxError for what is no JSON where it must be */
function valueOf(text: string, schema: unknown): unknown {
  const type = valueAt(schema, 'type');
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(text))
    return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'object' || type === 'array' ? JSON.parse(text) : text;
}

function ruleOf(schema: unknown): string {
  const { choices, least, most, examples } = formOf(schema);
  if (choices.length > 0) return `one of ${choices.join(', ')}`;
  const like = examples.map((one) => `like ${one}`);
  const range = least === null && most === null ? [] : [`${least ?? ''} to ${most ?? ''}`.trim()];
  return [String(valueAt(schema, 'type') ?? 'any'), ...range, ...like].join(', ');
}

function formOf(schema: unknown): SettingForm {
  const branches = valueAt(schema, 'anyOf');
  const allowed = Array.isArray(branches)
    ? branches.map((one) => valueAt(one, 'const'))
    : valueAt(schema, 'enum');
  const examples = valueAt(schema, 'examples');
  return {
    choices: Array.isArray(allowed) ? allowed.map(String) : [],
    least: numberAt(schema, 'minimum'),
    most: numberAt(schema, 'maximum'),
    examples: Array.isArray(examples) ? examples.map(textOf) : [],
  };
}

function numberAt(schema: unknown, name: string): number | null {
  const value = valueAt(schema, name);
  return typeof value === 'number' ? value : null;
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}
