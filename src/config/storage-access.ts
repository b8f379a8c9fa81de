import { ConfigError, type Environment } from './environment.js';

/** The directory, or the bucket. @throws ConfigError for one of the two keys */
export function storageOf(read: Environment) {
  if (read.STORAGE_S3_BUCKET === '') return { kind: 'directory' as const, path: read.STORAGE_DIR };
  return {
    kind: 's3' as const,
    bucket: read.STORAGE_S3_BUCKET,
    region: read.STORAGE_S3_REGION,
    /** Null means Amazon's endpoint of the region. */
    endpoint: read.STORAGE_S3_ENDPOINT ?? null,
    keys: keysOf(read),
  };
}

/** Null without both: then the machine's role counts. */
function keysOf({ STORAGE_S3_ACCESS_KEY_ID, STORAGE_S3_SECRET_ACCESS_KEY }: Environment) {
  const keys = { STORAGE_S3_ACCESS_KEY_ID, STORAGE_S3_SECRET_ACCESS_KEY };
  const missing = Object.entries(keys).flatMap(([variable, value]) => (value === '' ? [variable] : []));
  if (missing.length === 2) return null;
  if (missing.length === 1) {
    throw new ConfigError(
      `The bucket also needs ${missing[0]}, or neither key where the machine has a role.`,
    );
  }
  return { accessKeyId: STORAGE_S3_ACCESS_KEY_ID, secretAccessKey: STORAGE_S3_SECRET_ACCESS_KEY };
}
