import { spawn } from 'node:child_process';
import { closeSync, createWriteStream, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runChecks } from './check-all.js';
import { devFolder, distFolder, projectFolder } from './paths.js';
import { runMain, SetupError, say } from './progress.js';
import { TapReader } from './tap.js';
import { withTestEngines } from './test-engines.js';

const PROGRESS_EVERY = 50;
/** Without a line of output: longer than ava waits (ava.config.js) before it ends the processes of its tests. */
const SILENT_MS = 10 * 60_000;
const NOISE = join(devFolder, 'test.log');
const RUNNER = fileURLToPath(new URL('run-ava.js', import.meta.url));

/** Compiled test files whose path holds one of the patterns; all without patterns. */
function testFiles(patterns: readonly string[]): string[] {
  const folder = join(distFolder, 'test');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter(
      (file) =>
        patterns.length === 0 ||
        patterns.some((pattern) => join('test', file).includes(pattern.replace(/\.ts$/, '.js'))),
    )
    .map((file) => relative(projectFolder, join(folder, file)))
    .sort();
}

async function runAva(files: readonly string[], env: Readonly<Record<string, string>>): Promise<TapReader> {
  mkdirSync(devFolder, { recursive: true, mode: 0o700 });
  const log = createWriteStream(join(devFolder, 'test.tap'));
  // What engines and packages say to themselves would bury the one line that matters.
  const noise = openSync(NOISE, 'w', 0o600);
  const child = spawn(process.execPath, [RUNNER, '--tap', ...files], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', noise],
  });
  closeSync(noise);
  if (child.stdout === null) throw new Error('the runner has no output');
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const reader = new TapReader(say);
  // A runner that waits for a process that cannot be ended would wait for ever.
  const silent = setTimeout(() => {
    say(`✖ the test runner was ended after ${SILENT_MS / 60_000} minutes of silence`);
    child.kill('SIGKILL');
  }, SILENT_MS);
  for await (const line of createInterface({ input: child.stdout })) {
    silent.refresh();
    log.write(`${line}\n`);
    const before = reader.counts.passed;
    reader.read(line);
    const { passed } = reader.counts;
    if (passed > before && passed % PROGRESS_EVERY === 0) say(`  ${passed} tests passed`);
  }
  const code = await ended;
  clearTimeout(silent);
  log.end();
  if (code !== 0 && reader.counts.failed === 0) {
    reader.counts.failed += 1;
    reader.failures.push('the test runner');
    say(`✖ the test runner ended with code ${code}: see .dev/test.log and .dev/test.tap`);
  }
  return reader;
}

async function main(): Promise<number> {
  const started = Date.now();
  const patterns = process.argv.slice(2);
  const files = testFiles(patterns);
  if (files.length === 0) throw new SetupError(`no test file matches ${patterns.join(' ')}`);
  // Beside the engines' start, which mostly waits.
  const checks = patterns.length === 0 ? runChecks() : Promise.resolve(0);
  let tests = new TapReader(say);
  await withTestEngines(
    async (env) => {
      await checks;
      say(`… ${files.length} test files`);
      tests = await runAva(files, env);
      return 0;
    },
    { inMemory: true },
  );
  const failedChecks = await checks;
  if (failedChecks > 0) say(`✖ ${failedChecks} of the checks failed (npm run check)`);
  say(`${((Date.now() - started) / 1000).toFixed(1)} s`);
  // Again, as their details stand a thousand lines above.
  for (const title of tests.failures) say(`✖ ${title}`);
  if (tests.failures.length > 0) say('  their output: .dev/test.log');
  const { passed, failed, skipped } = tests.counts;
  say(`${passed} passed, ${failed + failedChecks} failed, ${skipped} skipped`);
  return failed + failedChecks > 0 || passed === 0 ? 1 : 0;
}

runMain(main);
