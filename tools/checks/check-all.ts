import { join } from 'node:path';
import { buildTypescriptClient } from '../clients/build.js';
import { distFolder, packageScript, projectFolder } from '../launcher/paths.js';
import { messageOf, say } from '../launcher/progress.js';
import { run } from '../launcher/run.js';

/** With fewer modules the import rules were not really checked. */
const LEAST_MODULES = 100;
/** The compiler behind lint and types is a Go program that by default spends a quarter of its time on garbage. */
const GO = { GOGC: '400' };
const CODE_FOLDERS = ['src', 'workflows', 'activities', 'tools', 'test', 'clients'];

interface Check {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  /** A reason to fail although the tool succeeded. */
  readonly verify?: (output: string) => string | null;
}

function enoughModules(output: string): string | null {
  const count = Number(/\((\d+) modules/.exec(output)?.[1] ?? 0);
  return count >= LEAST_MODULES
    ? null
    : `only ${count} modules were looked at, at least ${LEAST_MODULES} expected`;
}

const CHECKS: readonly Check[] = [
  {
    name: 'format',
    script: packageScript('@biomejs/biome', 'bin/biome'),
    args: ['check', '--error-on-warnings', '.'],
  },
  {
    // One compiler program for both: a separate tsc would take as long again.
    name: 'lint and types',
    script: packageScript('oxlint', 'bin/oxlint'),
    args: ['--type-aware', '--type-check', '--deny-warnings', ...CODE_FOLDERS],
  },
  { name: 'unused code', script: packageScript('knip', 'bin/knip.js'), args: ['--no-progress'] },
  {
    name: 'import rules',
    script: packageScript('dependency-cruiser', 'bin/dependency-cruise.mjs'),
    args: ['--config', '.dependency-cruiser.cjs', ...CODE_FOLDERS],
    verify: enoughModules,
  },
  { name: 'images, compose and chart', script: join(distFolder, 'tools/checks/deploy.js'), args: [] },
  { name: 'plain words', script: join(distFolder, 'tools/checks/words.js'), args: [] },
];

async function passes(check: Check): Promise<boolean> {
  const started = Date.now();
  const { code, output } = await run(process.execPath, [check.script, ...check.args], {
    cwd: projectFolder,
    env: GO,
  });
  const reason = code === 0 ? (check.verify?.(output) ?? null) : `ended with code ${code}`;
  if (reason === null) {
    say(`✔ ${check.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    for (const line of output.match(/^skipped .*$/gm) ?? []) say(`  ${line}`);
    return true;
  }
  say(`✖ ${check.name}: ${reason}\n${output.trim().slice(-8000)}`);
  return false;
}

/** Format, lint, types, unused code, import rules, files for deployment and words; returns the number of failures. */
export async function runChecks(): Promise<number> {
  // Its code imports what the build makes.
  await buildTypescriptClient();
  const passed = await Promise.all(
    CHECKS.map((check) =>
      passes(check).catch((error: unknown) => {
        say(`✖ ${check.name}: ${messageOf(error)}`);
        return false;
      }),
    ),
  );
  return passed.filter((one) => !one).length;
}
