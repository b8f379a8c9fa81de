import type { LicenseRecord } from '../../../db/queries/accounts/licenses.js';
import { isExpired } from '../../../domain/license.js';
import { presentSettings } from '../../presented.js';
import type { License } from './schema.js';

/** A license at `now` (ISO 8601 UTC with microseconds). */
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
