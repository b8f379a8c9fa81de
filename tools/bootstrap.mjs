/**
 * First step of every npm command, in plain JavaScript without packages, for a fresh clone. Installs packages
 * that are missing or older than the lock file, compiles, then runs `dist/tools/commands/<command>.js`.
 * `PARCELWORKS_DIST` names another output folder.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = [
  'start',
  'stop',
  'test',
  'bench',
  'faults',
  'cluster',
  'check',
  'admin',
  'carrier',
  'replay',
  'panel',
  'release',
];
const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const dist = process.env.PARCELWORKS_DIST ?? 'dist';
const marker = join(root, 'node_modules', '.package-lock.json');
const [command, ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(`✖ ${message}`);
  process.exit(1);
}

/** Programs may read the standard output of `admin`. */
const quiet = command === 'admin';

function run(label, file, args, options = {}) {
  const started = Date.now();
  const stdio = quiet ? ['inherit', 2, 2] : 'inherit';
  const done = spawnSync(file, args, { cwd: root, stdio, ...options });
  if (done.error) fail(`${label}: ${done.error.message}`);
  if (done.status !== 0)
    fail(`${label} failed${done.stderr ? `:\n${done.stdout}${done.stderr}` : ' (see above)'}`);
  (command === 'admin' ? console.error : console.log)(
    `✔ ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (!fits)
    fail(`Node ${process.versions.node} is too old: install Node 20.19 or later 20, or 22.12 or later`);
}

/** Whether the installed packages are as new as the lock file. */
function isFresh() {
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function installPackages() {
  if (isFresh()) return;
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
  const env = { ...process.env, NODE_ENV: 'development' };
  const script = process.env.npm_execpath;
  if (script) run('packages', process.execPath, [script, ...args], { env });
  else run('packages', process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { env });
  utimesSync(marker, new Date(), new Date());
}

/** Removes compiled files without a source, so that deleted tests do not run. */
function prune(folder, relative = '') {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = join(relative, entry.name);
    if (entry.isDirectory()) prune(path, name);
    else if (/\.js(\.map)?$/.test(name) && /^(src|test|tools|workflows|activities)[\\/]/.test(name)) {
      const source = join(root, name.replace(/\.js(\.map)?$/, '.ts'));
      if (!existsSync(source)) rmSync(path);
    }
  }
}

function compile() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // The types are one of the checks, which a full npm test runs too.
  run('compiled', process.execPath, [tsc, '-p', 'tsconfig.json', '--outDir', dist, '--noCheck']);
  prune(join(root, dist));
  if (['check', 'stop', 'admin', 'carrier', 'replay', 'panel', 'release'].includes(command)) return;
  run('documentation made', process.execPath, [join(root, dist, 'tools', 'docs', 'build.js')]);
  // `test` bundles them itself, where its files need workers.
  if (command !== 'test') bundleWorkflows(join(root, dist, 'src', 'main', 'bundle.js'));
}

/** Runs beside the start of the engines. If it fails, the worker bundles itself. */
function bundleWorkflows(bundle) {
  if (command === 'start')
    spawn(process.execPath, [bundle, '--encrypting'], { cwd: root, stdio: 'ignore' }).unref();
  else run('workflows bundled', process.execPath, [bundle], { stdio: 'pipe', encoding: 'utf8' });
}

/** Whether the compiled files are as new as the sources. */
function isCompiled(entry) {
  if (!existsSync(entry)) return false;
  const compiledAt = statSync(entry).mtimeMs;
  return ['src', 'workflows', 'activities', 'tools'].every((folder) =>
    readdirSync(join(root, folder), { recursive: true }).every(
      (file) => !file.endsWith('.ts') || statSync(join(root, folder, file)).mtimeMs <= compiledAt,
    ),
  );
}

checkNode();
if (!COMMANDS.includes(command)) fail(`usage: node tools/bootstrap.mjs ${COMMANDS.join('|')}`);
const entry = join(root, dist, 'tools', 'commands', `${command}.js`);
const isReady = ['stop', 'panel'].includes(command)
  ? existsSync(entry)
  : command === 'admin' && isCompiled(entry);
if (!isReady) {
  installPackages();
  compile();
}
process.argv.splice(1, process.argv.length - 1, entry, ...rest);
await import(`file://${entry}`);
