import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { devFolder, distFolder } from '../launcher/paths.js';
import { runMain, SetupError } from '../launcher/progress.js';
import { runningSupervisor } from '../launcher/state.js';

/** Whether only help is requested, which needs no running system. */
function asksForHelp(args: readonly string[]): boolean {
  return args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h');
}

/** The demo's settings from its `KEY=value` lines. */
function demoEnvironment(): Record<string, string> {
  const pairs = readFileSync(join(devFolder, 'env'), 'utf8')
    .split('\n')
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.filter(([name]) => name !== ''));
}

/** Settings from the environment, else from the running demo. @throws SetupError when there is neither */
async function settings(): Promise<Record<string, string>> {
  if (process.env['DATABASE_URL'] !== undefined) return {};
  if ((await runningSupervisor()) !== null) return demoEnvironment();
  throw new SetupError(
    'no system to work with: start the demo (npm start -- --detach), or set DATABASE_URL and APP_KEY of yours',
  );
}

/** `npm run admin`: the admin program with the demo's settings by default. */
runMain(async () => {
  const args = process.argv.slice(2);
  const env = { ...process.env, ...(asksForHelp(args) ? {} : await settings()) };
  const script = join(distFolder, 'src', 'main', 'admin.js');
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', script, ...args], {
    stdio: 'inherit',
    env,
  });
  return status ?? 1;
});
