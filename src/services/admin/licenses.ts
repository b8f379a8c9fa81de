import type { Executor } from '../../db/database.js';
import {
  findStoredSettings,
  insertLicense,
  insertLicenseSettings,
  updateLicense,
  updateLicenseSettings,
} from '../../db/queries/accounts/license-setup.js';
import {
  findLicenseHead,
  type LicenseHead,
  type LicenseRecord,
  type LicenseSettingsRecord,
  listLicenseHeads,
  listLicenses,
} from '../../db/queries/accounts/licenses.js';
import { recordLicenseChange } from '../../db/queries/webhooks/store-subscriptions.js';
import type { AppKeys } from '../../lib/app-keys.js';
import { randomToken } from '../../lib/secrets.js';
import type { App } from '../app.js';
import { licenseInboundUrl, rotateInboundUrl } from '../carriers/inbound-addresses.js';
import { requireAccount } from './accounts.js';
import { type ActingApp, audited } from './audited.js';
import { requireAdapter } from './carriers.js';
import { accountPageOf, fieldError, type Given, refuse, reportTogether, takenAs } from './check.js';
import { companyNamed, requireCompany } from './companies.js';
import { checkAddress, checkChanges, checkNew, licenseColumns, settingsColumns } from './license-fields.js';
import { SealError, sealedSettings, secretNames, secretStates } from './settings.js';

const keyTaken = takenAs('key', 'must be unique among all licenses; another one has it');

type LicenseReadApp = Pick<App<'appKeys'>, 'config'> & { db: Executor };
type LicenseAdminApp = Pick<App<'appKeys'>, 'db' | 'adapters' | 'config'>;
type UrlAdminApp = Pick<App<'appKeys' | 'baseUrl'>, 'db' | 'adapters' | 'config'>;

/**
 * A complete license without secrets. `secrets`: names of those set; null after a change when they cannot be
 * decrypted.
 */
export type ShownLicense = Omit<LicenseRecord, 'settings'> &
  Partial<ReturnType<typeof lookOf>> & { provider: string; secrets: string[] | null };

/** Creates a license, with a random key by default. @throws AppError `validation_failed` */
export async function createLicense(
  app: LicenseAdminApp & ActingApp,
  request: Given<typeof checkNew>,
): Promise<ShownLicense> {
  const values = checkNew(request);
  const { account: accountId, name, carrier: provider, companyName } = values;
  await requireAccount(app, accountId);
  const known = values.company === undefined ? null : await requireCompany(app, values.company);
  const adapter = requireAdapter(app, known?.carrier.provider ?? required('carrier', provider));
  reportTogether([
    () => known ?? required('companyName', companyName),
    () => licenseColumns(values),
    () => sealedSettings(app.config, adapter, values),
    () => checkAddress(adapter, values),
  ]);
  const stored = sealedSettings(app.config, adapter, values);
  const key = values.key ?? randomToken('lic_', 18);
  const named = { carrier: adapter.provider, name: companyName ?? '' };
  const { id: companyId, carrier } = known ?? (await companyNamed(app, named));
  const columns = { ...licenseColumns(values), accountId, companyId, name, key };
  return await audited(app, 'licenses.create', async (db) => {
    const id = await insertLicense(db, columns);
    await insertLicenseSettings(db, {
      ...settingsColumns(values),
      ...stored,
      licenseId: id,
      providerId: carrier.id,
    });
    await recordLicenseChange(db, { id, accountId });
    const result = await showLicense({ ...app, db }, { license: `key:${key}` });
    const { after: secrets } = secretStates(app.config, null, stored.secrets);
    return { result, target: { kind: 'license', id }, accountId, after: { ...told(result), secrets } };
  }).catch(keyTaken);
}

function required(field: string, value: string | undefined): string {
  return value ?? refuse(field, 'company_needed');
}

/** Changes the given fields; other settings stay. @throws AppError `validation_failed` */
export async function changeLicense(
  app: LicenseAdminApp & ActingApp,
  request: Given<typeof checkChanges>,
): Promise<ShownLicense> {
  const values = checkChanges(request);
  const head = await requireLicense(app, values.license);
  await checkCompany(app, head, values.company);
  const moved = await movedTo(app, head, values.companyName);
  return await audited(app, 'licenses.change', async (db) => {
    const { id, accountId } = head;
    const before = await readLicense({ db }, head);
    await changeSettings(app, db, head, values);
    await updateLicense(db, id, { ...licenseColumns(values), companyId: moved ?? values.company });
    await recordLicenseChange(db, head);
    const { sealed, ...license } = await readLicense({ db }, head);
    // The change succeeds even if the secrets cannot be decrypted.
    const result = { ...license, secrets: namesOrNull(sealed, app.config.appKeys) };
    const secrets = secretStates(app.config, before.sealed, sealed);
    const key = result.key === before.key ? 'set' : 'changed';
    return {
      result,
      target: { kind: 'license', id },
      accountId,
      before: { ...told(before), key: 'set', secrets: secrets.before },
      after: { ...told(license), key, secrets: secrets.after },
    };
  }).catch(keyTaken);
}

/** A license as the audit may show it: its key is the credential of API v1. */
function told(license: object): object {
  return { ...license, key: undefined, sealed: undefined, secrets: undefined };
}

/** One license by key or id. @throws AppError `validation_failed` for an unknown one @throws SealError */
export async function showLicense(app: LicenseReadApp, request: { license: string }): Promise<ShownLicense> {
  const { sealed, ...license } = await readLicense(app, await requireLicense(app, request.license));
  return { ...license, secrets: secretNames(sealed, app.config.appKeys) };
}

function namesOrNull(sealed: Buffer | null, appKeys: AppKeys): string[] | null {
  try {
    return secretNames(sealed, appKeys);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

/** Licenses by ascending id, of one account or all, with their `state`; only an active one may be used. */
export async function licenseList(app: Pick<App, 'db'>, request: Given<typeof accountPageOf>) {
  const heads = await listLicenseHeads(app.db, accountPageOf(request));
  return heads.map((head) => ({ ...head, state: licenseState(head) }));
}

/** Only an active license may be used. */
export function licenseState({
  isActive,
  expiresAt,
}: Pick<LicenseHead, 'isActive' | 'expiresAt'>): 'active' | 'disabled' | 'expired' {
  if (!isActive) return 'disabled';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

/**
 * Finds a license: digits alone are an id, `key:12` or other text is a key. @throws AppError
 * `validation_failed` for an unknown one
 */
export async function requireLicense({ db }: { db: Executor }, keyOrId: string): Promise<LicenseHead> {
  const head = await findLicenseHead(db, keyOrId);
  return head ?? refuse('license', 'no_such', { be: 'be the key or id of a license', given: keyOrId });
}

async function readLicense(
  { db }: { db: Executor },
  head: LicenseHead,
): Promise<Omit<ShownLicense, 'secrets'> & { sealed: Buffer | null }> {
  const all = await listLicenses(db, head.accountId);
  const license = all.find(({ id }) => id === head.id);
  if (license === undefined) throw new Error(`License ${head.id} is gone.`);
  const { settings: rows, ...columns } = license;
  const row = rows.find(({ providerId }) => providerId === head.carrierId);
  const stored = await findStoredSettings(db, { licenseId: head.id, carrierId: head.carrierId });
  return {
    ...columns,
    provider: head.provider,
    ...(row === undefined ? {} : lookOf(row)),
    sealed: stored?.secrets ?? null,
  };
}

/** The row in `license_settings` for the carrier of the license's company. */
function lookOf({
  id: _id,
  providerId: _providerId,
  provider: _provider,
  createdAt: _c,
  updatedAt: _u,
  ...look
}: LicenseSettingsRecord) {
  return look;
}

async function changeSettings(
  app: LicenseAdminApp,
  tx: Executor,
  head: LicenseHead,
  values: ReturnType<typeof checkChanges>,
): Promise<void> {
  const { id: licenseId, carrierId } = head;
  const look = settingsColumns(values);
  const before = await findStoredSettings(tx, { licenseId, carrierId });
  const named = [values.settings, values.set, values.secrets, values.unset];
  const isNamed = named.some((one) => one !== undefined);
  const isAddress = values.collectStreet !== undefined || values.collectCity !== undefined;
  // A license of a carrier that this version lacks keeps its settings, and may be changed beside them.
  const adapter = () => requireAdapter(app, head.provider);
  const stored = () => sealedSettings(app.config, adapter(), values, before ?? undefined);
  const address = () => checkAddress(adapter(), values, before ?? undefined);
  reportTogether([
    () => licenseColumns(values),
    ...(isNamed || before === null ? [stored] : []),
    ...(isNamed || isAddress ? [address] : []),
  ]);
  if (before !== null && !isNamed) {
    await updateLicenseSettings(tx, before.id, look);
    return;
  }
  if (before === null)
    await insertLicenseSettings(tx, { ...look, ...stored(), licenseId, providerId: carrierId });
  else await updateLicenseSettings(tx, before.id, { ...look, ...stored() });
}

/** The id of the company with this name of the license's carrier; undefined where the license has that name already. */
async function movedTo(
  app: LicenseAdminApp & ActingApp,
  { companyId, provider: carrier }: LicenseHead,
  name: string | undefined,
): Promise<number | undefined> {
  if (name === undefined || name === (await requireCompany(app, companyId)).name) return undefined;
  return (await companyNamed(app, { carrier, name })).id;
}

async function checkCompany(
  app: LicenseAdminApp,
  head: LicenseHead,
  companyId: number | undefined,
): Promise<void> {
  if (companyId === undefined) return;
  const { carrier } = await requireCompany(app, companyId);
  if (carrier.id === head.carrierId) return;
  const values = { carrier: head.provider, other_carrier: carrier.provider };
  throw fieldError('company', 'company_of_carrier', values);
}

/**
 * The URL to configure at a license's carrier. @throws AppError `validation_failed` for an unknown license or a
 * carrier without webhooks
 */
export async function licenseWebhookUrl(app: UrlAdminApp, request: { license: string }) {
  const license = await requireLicense(app, request.license);
  return urlOf(license, await licenseInboundUrl(addressApp(app, app.db), license.id));
}

/** Replaces that URL: the old one ends at once. @throws as {@link licenseWebhookUrl} */
export async function rotateWebhookUrl(app: UrlAdminApp & ActingApp, request: { license: string }) {
  return await audited(app, 'licenses.rotate-webhook-url', async (db) => {
    const license = await requireLicense({ db }, request.license);
    const { id, accountId } = license;
    const result = urlOf(license, await rotateInboundUrl(addressApp(app, db), id));
    return { result, target: { kind: 'license', id }, accountId, before: {}, after: { url: 'changed' } };
  });
}

function addressApp(app: UrlAdminApp, db: Executor) {
  return { db, config: app.config, carriers: (name: string) => requireAdapter(app, name) };
}

function urlOf({ key, provider }: LicenseHead, url: string | null) {
  if (url !== null) return { license: key, provider, url };
  return refuse('license', 'no_webhook_address', { carrier: provider });
}
