import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withTestEngines } from '../engines/test-engines.js';
import { distFolder, projectFolder } from './paths.js';
import { SetupError } from './progress.js';

/**
 * Runs a compiled file of `test/` with private engines; returns its exit code. @throws SetupError for an
 * unknown file
 */
export async function runWithEngines(file: string, args: readonly string[]): Promise<number> {
  const path = join(distFolder, 'test', file);
  if (!existsSync(path)) throw new SetupError(`there is no test/${file.replace(/\.js$/, '.ts')}`);
  return withTestEngines((env) => runScript(file, args, env));
}

/** Runs a compiled file of `test/`, which gets our SIGTERM; returns its exit code. */
export function runScript(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(distFolder, 'test', file), ...args], {
      cwd: projectFolder,
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: 'inherit',
    });
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
