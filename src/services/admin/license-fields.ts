import { Type } from 'typebox';
import type { CarrierAdapter } from '../../carriers/contract.js';
import type { LicenseColumns, SettingsColumns } from '../../db/queries/accounts/license-setup.js';
import { SETTINGS_FLAGS } from '../../db/queries/accounts/licenses.js';
import { validationError } from '../../domain/errors.js';
import { adminProblemAt } from '../../domain/problems/problem.js';
import type { JsonObject } from '../../domain/shipment.js';
import { fieldError, Id, Moment, momentOf, Name, requestCheck } from './check.js';

const short = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const flag = Type.Optional(Type.Boolean());

const LEAST_KEY_LENGTH = 16;

const shared = {
  key: Type.Optional(
    Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$', examples: ['blue-hfd-4f8a71c09e52, without blanks'] }),
  ),
  /** Permits a guessable key. */
  shortKey: flag,
  expires: Type.Optional(Moment),
  multipleShipment: flag,
  /** Its parcels are for trying only. */
  sandbox: flag,
  commitmentDay: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  /** Domain of the shop that activated it; null unbinds. */
  domain: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 })),
  /** Order statuses for which API v1 creates no shipment. */
  blockedStatuses: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100 })),
  active: flag,
  settings: Type.Optional(Type.Unsafe<JsonObject>({ type: 'object' })),
  set: Type.Optional(Type.Record(Type.String(), Type.String())),
  secrets: Type.Optional(Type.Record(Type.String(), Type.String())),
  collectStreet: short(255),
  collectNumber: short(32),
  collectCity: short(255),
  collectCompany: short(255),
  /** Empty uses the account's. */
  labelMethod: Type.Optional(Type.Unsafe<string>({ enum: ['builtin', 'carrier', ''] })),
  labelType: Type.Optional(Type.Unsafe<string>({ enum: ['thermal', 'A4', ''] })),
  orderPrefix: short(64),
  flags: Type.Optional(
    Type.Object(Object.fromEntries(SETTINGS_FLAGS.map((name) => [name, flag])), {
      additionalProperties: false,
    }),
  ),
};
/** Checks a new license. `company`, or `carrier` and `companyName`: that company is made where there is none. */
export const checkNew = requestCheck({
  account: Id,
  company: Type.Optional(Id),
  carrier: Type.Optional(Type.String()),
  companyName: Type.Optional(Name),
  name: Name,
  ...shared,
});
/** Checks changes of a license. */
export const checkChanges = requestCheck({
  license: Type.String(),
  company: Type.Optional(Id),
  /** Another company of the license's carrier, made where there is none. */
  companyName: Type.Optional(Name),
  name: Type.Optional(Name),
  unset: Type.Optional(Type.Array(Type.String())),
  ...shared,
});

/** How a person fills in a field: a list is a line with commas, choices are named by their values. */
export type FormField = 'text' | 'code' | 'number' | 'day' | 'switch' | 'list' | readonly string[];

/** The fields of a license beside its company, its carrier's settings and its switches, for forms. */
export const FORM_FIELDS = {
  name: 'text',
  orderPrefix: 'text',
  multipleShipment: 'switch',
  sandbox: 'switch',
  expires: 'day',
  key: 'code',
  domain: 'code',
  blockedStatuses: 'list',
  commitmentDay: 'number',
  labelMethod: ['', 'builtin', 'carrier'],
  labelType: ['', 'thermal', 'A4'],
  collectStreet: 'text',
  collectNumber: 'text',
  collectCity: 'text',
  collectCompany: 'text',
} as const satisfies Partial<Record<keyof typeof shared | 'name', FormField>>;
/** Name of one of those fields. */
export type FieldName = keyof typeof FORM_FIELDS;

type Shared = Omit<ReturnType<typeof checkChanges>, 'license' | 'company' | 'companyName' | 'unset'>;

/** The named columns of `licenses`. @throws AppError `validation_failed` at `key`, `expires` */
export function licenseColumns(values: Shared): LicenseColumns {
  const { key, shortKey } = values;
  if (key !== undefined && key.length < LEAST_KEY_LENGTH && shortKey !== true) {
    throw fieldError('key', 'short_key', { limit: LEAST_KEY_LENGTH });
  }
  return {
    key: values.key,
    name: values.name,
    expiresAt: momentOf('expires', values.expires, 'end'),
    multipleShipment: values.multipleShipment,
    isSandbox: values.sandbox,
    commitmentDay: values.commitmentDay,
    domain: values.domain,
    blockedStatuses: values.blockedStatuses,
    isActive: values.active,
  };
}

/** Of the collection address, what a carrier must be told that needs one. */
export const NEEDED_ADDRESS = ['collectStreet', 'collectCity'] as const;

/**
 * Refuses a license without the collection address that its carrier needs. `stored`: what it has already. @throws
 * AppError `validation_failed`
 */
export function checkAddress(
  adapter: Pick<CarrierAdapter, 'displayName' | 'needsCollectionAddress'>,
  values: Shared,
  stored?: { collectStreet: string; collectCity: string },
): void {
  if (adapter.needsCollectionAddress !== true) return;
  const missing = NEEDED_ADDRESS.filter((name) => (values[name] ?? stored?.[name] ?? '').trim() === '');
  if (missing.length === 0) return;
  throw validationError(
    Object.fromEntries(
      missing.map((name) => [
        name,
        [adminProblemAt(name, 'collection_address', { carrier: adapter.displayName })],
      ]),
    ),
  );
}

/** The named columns of `license_settings`, except the carrier's settings. */
export function settingsColumns(values: Shared): SettingsColumns {
  return {
    collectStreet: values.collectStreet,
    collectStreetNumber: values.collectNumber,
    collectCity: values.collectCity,
    collectCompany: values.collectCompany,
    labelMethod: values.labelMethod,
    labelType: values.labelType,
    orderPrefix: values.orderPrefix,
    flags: values.flags,
  };
}
