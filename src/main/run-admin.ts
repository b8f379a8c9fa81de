import { CommanderError, InvalidArgumentError } from 'commander';
import type { AdminCliApp, Session } from '../admin/command.js';
import { createProgram } from '../admin/program.js';
import { allCarriers, carrierFor } from '../carriers/registry.js';
import { loadConfig } from '../config/config.js';
import { ConfigError } from '../config/environment.js';
import { isUnavailable, openDatabase } from '../db/database.js';
import { isReadOnly, refusalOf } from '../db/errors.js';
import { AppError } from '../domain/errors.js';
import { textsOf } from '../domain/problems/problem.js';
import { trackingUrl } from '../domain/tracking-url.js';
import { AdminError } from '../services/admin/check.js';
import { SealError } from '../services/admin/settings.js';
import { openTemporal } from '../temporal/client.js';
import { createCommonApp } from './app.js';
import { requireKnownKey } from './known-key.js';

const BAD_INPUT = 2;
const TROUBLE = 1;
/** MySQL errors: no such table or column. */
const NOT_MIGRATED: ReadonlySet<unknown> = new Set([1146, 1054]);

/** Runs a command of the admin program with this environment, or the process's; returns its exit code. */
export async function runAdmin(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> {
  const session: Session = (work) => withEngines(env, work);
  try {
    await createProgram(session).parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error);
  }
}

async function withEngines<T>(
  env: NodeJS.ProcessEnv | undefined,
  work: (app: AdminCliApp) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  const db = openDatabase({ url: config.databaseUrl, poolSize: 1 });
  const temporal = openTemporal(config);
  // A Schedule makes up for a wake that fails.
  const { close, ...common } = createCommonApp(
    { config, db, temporal, carriers: carrierFor, onRestored: () => undefined },
    () => undefined,
  );
  try {
    await requireKnownKey(db, config.appKeys);
    const temporalUi = { url: config.temporalUiUrl, namespace: config.temporalNamespace };
    const trackingPage = (shortCode: string) => trackingUrl(config.baseUrl, shortCode);
    return await work({ ...common, temporalUi, trackingPage, adapters: allCarriers() });
  } finally {
    await close();
    await Promise.all([db.close(), temporal.connection.close()]);
  }
}

/** Prints the error without a stack and returns the exit code. */
function report(error: unknown): number {
  // Commander has printed it already.
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) {
    return error.exitCode === 0 ? 0 : BAD_INPUT;
  }
  for (const line of linesOf(error)) process.stderr.write(`admin: ${line}\n`);
  return error instanceof AppError || error instanceof InvalidArgumentError ? BAD_INPUT : TROUBLE;
}

function linesOf(error: unknown): string[] {
  if (error instanceof AppError) {
    const fields = Object.entries(textsOf(error.fields ?? { '': [error.problem] }));
    return fields.flatMap(([path, messages]) => messages.map((message) => asOption(path, message)));
  }
  const isPlain =
    error instanceof AdminError ||
    error instanceof ConfigError ||
    error instanceof SealError ||
    error instanceof InvalidArgumentError;
  if (isPlain) return error.message.split('\n');
  const refusal = refusalOf(error);
  if (refusal !== null) return [`MySQL refuses DATABASE_URL: ${refusal.words}`];
  if (isReadOnly(error)) return ['MySQL at DATABASE_URL is read-only.'];
  if (isUnavailable(error))
    return ['MySQL at DATABASE_URL does not answer: it must run, and the address must be right.'];
  if (error instanceof Error && 'errno' in error && NOT_MIGRATED.has(error.errno)) {
    return ['The database is not up to date: run node dist/src/main/migrate.js first.'];
  }
  return [error instanceof Error ? error.message : String(error)];
}

/** Names an option as it was typed: `premiumUntil must be …` → `premium-until must be …`. */
function asOption(path: string, message: string): string {
  const [first = '', ...rest] = path.split('.');
  const option = first.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return message.startsWith(path) ? [option, ...rest].join('.') + message.slice(path.length) : message;
}
