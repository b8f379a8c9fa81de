import type { KeyedLicense } from '../../../db/queries/accounts/keyed-licenses.js';
import type { Reply } from '../../operation.js';
import { bare } from '../reply.js';
import type { LicenseVerdict, Provider } from './schema.js';

/** 200: a valid license, with its carrier. */
export function validLicense(license: KeyedLicense, message: string): Reply {
  return verdict({
    success: true,
    error: null,
    license: 'valid',
    provider: presentProvider(license),
    message,
  });
}

/** 200: an invalid license. */
export function invalidLicense(error: NonNullable<LicenseVerdict['error']>, message: string): Reply {
  return verdict({ success: false, error, license: 'invalid', message });
}

function verdict(body: LicenseVerdict): Reply {
  return bare(200, body);
}

function presentProvider({ carrier }: KeyedLicense): Provider {
  return {
    id: carrier.id,
    name: carrier.name,
    endpoints: { shipping: '', label: '', tracking: '' },
    created_at: carrier.createdAt,
    updated_at: carrier.updatedAt,
  };
}
