import type { Reply } from '../../api/v1/reply.js';

/** Fields that are credentials, wherever they stand in an answer. */
const SECRETS: ReadonlySet<string> = new Set([
  'token',
  'key',
  'license_key',
  'client_id',
  'client_secret_last4',
]);

/** The body of an answer as it may be kept: its JSON, with credentials left out. */
export function loggedText({ body }: Reply): string {
  const text: string | undefined = JSON.stringify(body, (name, value: unknown) =>
    SECRETS.has(name) && typeof value === 'string' ? '[left out]' : value,
  );
  return text ?? '';
}
