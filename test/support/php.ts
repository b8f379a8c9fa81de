import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { aptInstall, canUseApt } from '../../tools/launcher/run.js';
import type { TestAccount } from './stack.js';

/** The folder of the PHP client. */
export const PHP_CLIENT = join(projectFolder, 'clients/php');
const PRELUDE = `
error_reporting(E_ALL);
set_error_handler(static function ($level, $message, $file, $line) { throw new ErrorException($message, 0, $level, $file, $line); });
require '${join(PHP_CLIENT, 'autoload.php')}';
$client = new Parcelworks\\Client(json_decode(getenv('PARCELWORKS'), true));
function out($value) { echo json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\\n"; }
`;

const isThere = await findPhp();
/** A test that runs PHP; skipped where there is none. */
export const phpTest = isThere ? test : test.skip;
/** The same, one after the other. */
export const phpSerialTest = isThere ? test.serial : test.skip;

/** Finds PHP with curl, with Debian's packages where there is apt. */
async function findPhp(): Promise<boolean> {
  if (hasPhp()) return true;
  if (canUseApt() && (await aptInstall(['php-cli', 'php-curl'])) && hasPhp()) return true;
  if (process.env.CI !== undefined) throw new Error('CI has no php with curl');
  process.stderr.write('skipped: the tests of the PHP client want php with curl in the PATH\n');
  return false;
}

function hasPhp(): boolean {
  try {
    execFileSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The client's options for the stack's account. */
export function phpClientOf(baseUrl: string, { clientId, clientSecret, licenseKeys }: TestAccount) {
  return {
    base_url: baseUrl,
    client_id: clientId,
    client_secret: clientSecret,
    license_key: licenseKeys.run,
  };
}

export interface PhpRun {
  /** Options of the client, without hooks. */
  client: Record<string, unknown>;
  env?: Record<string, string>;
}

/**
 * Runs PHP code beside the client, with `$client` and `out(value)`.
 * @returns what `out` was given, in order
 * @throws Error with PHP's output when it ended otherwise than well
 */
export async function runPhp(code: string, { client, env = {} }: PhpRun): Promise<any[]> {
  const output = await phpOutput(['-r', PRELUDE + code], { ...env, PARCELWORKS: JSON.stringify(client) });
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** PHP's output. Its deprecations and warnings count as errors. */
function phpOutput(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  const strict = ['-d', 'display_errors=stdout', '-d', 'error_reporting=-1', '-d', 'memory_limit=256M'];
  return new Promise((resolve, reject) => {
    execFile('php', [...strict, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${stdout}\n${stderr}`));
    });
  });
}
