/** Names of the values in `service_secrets`. */
export const SERVICE_SECRETS = {
  /** X-App-Secret of the recipients' app. */
  app: 'app_secret',
  /** The database's own secret, which stays the same when `APP_KEY` changes. */
  lasting: 'lasting_key',
  /** Sealed with the key of `APP_KEY` that seals at present. */
  writer: 'app_key',
} as const;

/** Name of the value that a key of `APP_KEY` has sealed, which tells it from another one under the same id. */
export function proofName(keyId: string): string {
  return `${SERVICE_SECRETS.writer}/${keyId}`;
}
