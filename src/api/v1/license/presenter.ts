import type { Static } from 'typebox';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { ListedCredentials } from '../../../db/queries/accounts/credentials.js';
import type { KeyedLicense } from '../../../db/queries/accounts/keyed-licenses.js';
import type { LicenseRecord } from '../../../db/queries/accounts/licenses.js';
import type { StoreSiteRecord } from '../../../db/queries/accounts/store-sites.js';
import type { Reply } from '../../operation.js';
import { presentOwner, presentSettings } from '../../presented.js';
import { bare } from '../reply.js';
import type { LicenseVerdict, UserByLicense } from './schema.js';

type Verdict = Static<typeof LicenseVerdict>;
type Rows = Static<typeof UserByLicense>;

/** 200: a valid license, with its carrier. */
export function validLicense({ carrier }: KeyedLicense, message: string): Reply {
  return bare(200, {
    success: true,
    error: null,
    license: 'valid',
    provider: {
      id: carrier.id,
      name: carrier.name,
      endpoints: { shipping: '', label: '', tracking: '' },
      created_at: carrier.createdAt,
      updated_at: carrier.updatedAt,
    },
    message,
  } satisfies Verdict);
}

/** 200: an invalid license. */
export function invalidLicense(error: NonNullable<Verdict['error']>, message: string): Reply {
  return bare(200, { success: false, error, license: 'invalid', message } satisfies Verdict);
}

interface Owner {
  account: AccountRecord;
  /** The valid ones, oldest first. */
  credentials: readonly ListedCredentials[];
  sites: readonly StoreSiteRecord[];
}

/** Rows of the license, its account and its Shopify sites. */
export function presentUserByLicense(license: LicenseRecord, { account, credentials, sites }: Owner): Rows {
  // Replaced ones end soon.
  const shown = credentials.find(({ expiresAt }) => expiresAt === null) ?? credentials[0];
  return { license: licenseRow(license), user: userRow(account, shown), shopify_sites: sites.map(siteRow) };
}

function licenseRow(record: LicenseRecord): Rows['license'] {
  const { company } = record;
  return {
    id: record.id,
    user_id: record.accountId,
    company_id: company.id,
    key: record.key,
    name: record.name,
    commitment_day: record.commitmentDay,
    multiple_shipment: record.multipleShipment,
    is_active: record.isActive,
    expires_at: record.expiresAt,
    domain: record.domain,
    started_at: record.startedAt,
    blocked_statuses: record.blockedStatuses,
    company: { id: company.id, name: company.name, carrier_id: company.carrier.id },
    settings: record.settings.map(presentSettings),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function userRow(record: AccountRecord, credentials: ListedCredentials | undefined): Rows['user'] {
  return {
    ...presentOwner(record),
    tracker_page_contact_info: record.trackerPageContactInfo,
    client_id: credentials?.clientId ?? '',
    client_secret_last4: credentials?.clientSecretLast4 ?? '',
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

function siteRow(record: StoreSiteRecord): Rows['shopify_sites'][number] {
  return {
    id: record.id,
    user_id: record.accountId,
    license_id: record.licenseId,
    platform: record.platform,
    domain: record.domain,
    callback_url: record.callbackUrl,
    is_active: record.isActive,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
