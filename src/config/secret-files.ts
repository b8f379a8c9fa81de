import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** Variables that may hold a secret; each may also be given as the path of a file, by its name with `_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'APP_KEY',
  'TEMPORAL_API_KEY',
  'TEMPORAL_PAYLOAD_KEY',
  'TEMPORAL_CODEC_TOKEN',
  'PANEL_OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'STORAGE_S3_ACCESS_KEY_ID',
  'STORAGE_S3_SECRET_ACCESS_KEY',
  'ALERT_URL',
] as const;

/** An environment whose secrets are all values. */
export interface SecretsRead {
  readonly env: NodeJS.ProcessEnv;
  /** Where a value came from, by the variable's name. */
  readonly files: ReadonlyMap<string, string>;
  /** Messages by the variable's name. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Reads the files that `NAME_FILE` names. An empty variable counts as one that is not set. */
export function readSecretFiles(env: NodeJS.ProcessEnv): SecretsRead {
  const values: Record<string, string> = {};
  const files = new Map<string, string>();
  const faults: Record<string, string> = {};
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const path = env[variable] ?? '';
    if (path === '') continue;
    files.set(name, path);
    try {
      if ((env[name] ?? '') !== '') throw new Error(`${name} is set too: only one of the two may be`);
      values[name] = secretIn(path);
    } catch (error) {
      faults[variable] = error instanceof Error ? error.message : String(error);
    }
  }
  return { env: { ...env, ...values }, files, faults };
}

/** The file's text without the newline that editors and `echo` leave at its end. */
function secretIn(path: string): string {
  // Another text is not repeated: it may be the secret itself.
  if (!isAbsolute(path)) throw new Error('must be the absolute path of a file');
  const text = textOf(path).replace(/[\r\n]+$/, '');
  // An empty payload key would store everything in clear.
  if (text === '') throw new Error(`${path} is empty`);
  return text;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`${path} cannot be read${code}`);
  }
}
