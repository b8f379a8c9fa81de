import type { LicenseRecord, LicenseSettingsRecord } from '../../../db/queries/licenses.js';
import { isExpired } from '../../../domain/license.js';
import type { License } from './schema.js';

/** A license as v2 shows it at `now` (ISO 8601 UTC with microseconds). */
export function presentLicense(record: LicenseRecord, now: string): License {
  const { company } = record;
  return {
    id: record.id,
    key: record.key,
    name: record.name,
    company: {
      id: company.id,
      name: company.name,
      carrier: { id: company.carrier.id, name: company.carrier.name },
    },
    commitment_day: record.commitmentDay,
    multiple_shipment: record.multipleShipment,
    is_active: record.isActive,
    is_expired: isExpired(record, now),
    expires_at: record.expiresAt,
    settings: record.settings.map(presentSettings),
  };
}

function presentSettings(record: LicenseSettingsRecord): License['settings'][number] {
  return {
    id: record.id,
    provider_id: record.providerId,
    settings: record.settings,
    collect_street: record.collectStreet,
    collect_street_number: record.collectStreetNumber,
    collect_city: record.collectCity,
    collect_company: record.collectCompany,
    ...record.flags,
    label_method: record.labelMethod,
    label_type: record.labelType,
    order_prefix: record.orderPrefix,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
