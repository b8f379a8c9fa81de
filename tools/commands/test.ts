import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { runChecks } from '../checks/check-all.js';
import { withTestEngines } from '../engines/test-engines.js';
import { writeGroups } from '../engines/test-groups.js';
import { type Needs, needsOf } from '../engines/test-needs.js';
import { devFolder, distFolder, packageScript, projectFolder } from '../launcher/paths.js';
import { runMain, SetupError, say, step } from '../launcher/progress.js';

const PROGRESS_EVERY = 50;
/** Maximum silence; longer than ava's own timeout (ava.config.js). */
const SILENT_MS = 10 * 60_000;
/** Time to report what failed. */
const INTERRUPTED_MS = 30_000;
const LOG = join(devFolder, 'test.log');

/** Compiled test files whose path contains a pattern; all without patterns. */
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

/** A result line of ava. */
const RESULT = /^ +(?:(✔)|(✘ \[fail\]:)|- \[(?:skip|todo)\]) /;
/** An error outside of tests: its stack follows, which the summary at the end only counts. */
const OUTSIDE = /^ *(?:Uncaught exception|Unhandled rejection) in /;

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

function count(tally: Tally, line: string): void {
  const [found, passed, failed] = RESULT.exec(line) ?? [];
  if (found === undefined) return;
  if (failed !== undefined) tally.failed += 1;
  else if (passed === undefined) tally.skipped += 1;
  else if (++tally.passed % PROGRESS_EVERY === 0) say(`  ${tally.passed} tests passed`);
}

/** Runs the files with ava. All output goes to the log; failures and the final summary are printed. */
async function runAva(files: readonly string[], env: Readonly<Record<string, string>>): Promise<Tally> {
  mkdirSync(devFolder, { recursive: true, mode: 0o700 });
  rmSync(LOG, { force: true });
  const log = openSync(LOG, 'a', 0o600);
  const child = spawn(process.execPath, [packageScript('ava', 'entrypoints/cli.mjs'), ...files], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    // The output of engines and packages would hide the important lines.
    stdio: ['ignore', 'pipe', log],
  });
  if (child.stdout === null) throw new Error('the runner has no output');
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  // ava waits forever for a file that does not exit, once a test has asked for a long timeout. Interrupted, it reports.
  const silent = setTimeout(() => {
    say(`✖ the test runner was ended after ${SILENT_MS / 60_000} minutes of silence`);
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), INTERRUPTED_MS).unref();
  }, SILENT_MS);
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  let summing = false;
  let outside = false;
  for await (const line of createInterface({ input: child.stdout })) {
    silent.refresh();
    writeSync(log, `${line}\n`);
    count(tally, line);
    summing ||= line.trim() === '─';
    outside = OUTSIDE.test(line) || (outside && !RESULT.test(line));
    if (summing || outside || line.includes('✘')) say(line);
  }
  const code = await ended;
  clearTimeout(silent);
  closeSync(log);
  if (code !== 0 && tally.failed === 0) {
    tally.failed = 1;
    say(`✖ the test runner ended with code ${code}: see .dev/test.log`);
  }
  return tally;
}

/** Once for all files; a worker whose bundle is missing or old makes its own. */
async function bundleWorkflows(needs: Needs): Promise<void> {
  if (!needs('src/main/workflow-bundle.js')) return;
  const { writeWorkflowBundle } = await import('../../src/main/workflow-bundle.js');
  await step('workflows bundled', () => writeWorkflowBundle(false));
}

async function buildClient(needs: Needs): Promise<void> {
  // Those that read the built client name its folder by the build.
  if (!needs('tools/clients/build.js')) return;
  const { buildTypescriptClient } = await import('../clients/build.js');
  await step('TypeScript client made', () => buildTypescriptClient());
}

async function main(): Promise<number> {
  const started = Date.now();
  const patterns = process.argv.slice(2);
  const files = testFiles(patterns);
  if (files.length === 0) throw new SetupError(`no test file matches ${patterns.join(' ')}`);
  const needs = needsOf(files);
  // Both run while the engines start, which is mostly waiting.
  const checks = patterns.length === 0 ? runChecks() : Promise.resolve(0);
  const bundled = Promise.all([bundleWorkflows(needs), buildClient(needs)]);
  // Looked at once the engines are there, which are then stopped.
  bundled.catch(() => undefined);
  let tests: Tally = { passed: 0, failed: 0, skipped: 0 };
  await withTestEngines(
    async (env) => {
      await Promise.all([checks, bundled]);
      say(`… ${files.length} test files`);
      const groups = writeGroups(files);
      try {
        tests = await runAva(groups.files, env);
      } finally {
        groups.remove();
      }
      return 0;
    },
    { inMemory: true, needs },
  );
  const failedChecks = await checks;
  if (failedChecks > 0) say(`✖ ${failedChecks} of the checks failed (npm run check)`);
  say(`${((Date.now() - started) / 1000).toFixed(1)} s; all output: .dev/test.log`);
  const { passed, failed, skipped } = tests;
  say(`${passed} passed, ${failed + failedChecks} failed, ${skipped} skipped`);
  return failed + failedChecks > 0 || passed === 0 ? 1 : 0;
}

runMain(main);
