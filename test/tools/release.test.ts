import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { runOrFail } from '../../tools/launcher/run.js';
import { sectionOf, withRelease } from '../../tools/release/changelog.js';
import { auditDependencies } from '../../tools/release/npm.js';
import { makeArtifacts, makeRelease } from '../../tools/release/release.js';

const CHANGELOG = `# Changelog

All notable changes.

## [Unreleased]

- News.
- More, see [below](#old).

## [0.0.1] - 2026-01-01

- Old.
`;

/** A repository with the files that a release reads, and one commit. */
async function clone(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json', 'chart/Chart.yaml', '.gitignore'])
    cpSync(join(projectFolder, file), join(folder, file));
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
  const git = async (...args: string[]) => await runOrFail('git', 'git', args, { cwd: folder });
  await git('init', '--quiet');
  await git('config', 'user.name', 'Release');
  await git('config', 'user.email', 'release@example.test');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'begin');
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { folder, git, read };
}

test('release tag: writes nothing without --yes', async (t) => {
  const { folder, git, read } = await clone(t);
  const before = read('CHANGELOG.md');

  await makeRelease({ folder, version: '7.8.9' }, false);

  t.is(await git('status', '--porcelain'), '');
  t.is(await git('tag', '--list'), '');
  t.is(read('CHANGELOG.md'), before);
});

test('release tag: moves what is unreleased below the version, and commits and tags the versions', async (t) => {
  const { folder, git, read } = await clone(t);

  await makeRelease({ folder, version: '7.8.9' }, true);

  t.is(sectionOf(read('CHANGELOG.md'), 'Unreleased'), '');
  t.is(sectionOf(read('CHANGELOG.md'), '7.8.9'), '- News.\n- More, see [below](#old).');
  t.regex(read('CHANGELOG.md'), /^## \[Unreleased\]\n\n## \[7\.8\.9\] - \d{4}-\d\d-\d\d\n/m);
  for (const file of ['package.json', 'package-lock.json']) t.is(JSON.parse(read(file)).version, '7.8.9');
  t.regex(read('chart/Chart.yaml'), /^version: 7\.8\.9$[^]*^appVersion: 7\.8\.9$/m);
  t.is(await git('status', '--porcelain'), '');
  t.is((await git('describe', '--exact-match')).trim(), 'v7.8.9');
  t.is((await git('log', '-1', '--format=%s')).trim(), 'chore(release): 7.8.9');
  t.is((await git('diff', '--stat', 'HEAD~1')).match(/4 files changed/)?.length, 1);
});

test('release tag: refuses a changed checkout, no version, one that is not above a tag, and nothing new', async (t) => {
  const { folder, git } = await clone(t);
  await git('tag', 'v2.10.0');
  const refusal = async (version: string) =>
    (await t.throwsAsync(makeRelease({ folder, version }, true)))?.message;

  t.is(await refusal('2.9.9'), '2.9.9 is not above v2.10.0');
  t.is(await refusal('2.10.0'), '2.10.0 is not above v2.10.0');
  t.is(await refusal('next'), 'next is no version such as 0.2.0');
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## [Unreleased]\n\n## [2.10.0] - 2026-01-01\n\n- x\n',
  );
  t.is(await refusal('2.11.0'), 'the checkout has changes that are not committed');
  await git('commit', '--quiet', '--all', '--message', 'nothing');
  t.regex((await refusal('2.11.0')) ?? '', /nothing below \[Unreleased\]/);
  t.is((await git('tag', '--list')).trim(), 'v2.10.0');
});

test('release artifacts: the bill of materials names what is shipped, and no place that it came from', async (t) => {
  const { folder, git, read } = await clone(t);
  writeFileSync(join(folder, 'CHANGELOG.md'), withRelease(read('CHANGELOG.md'), '7.8.9', '2026-11-29'));

  await makeArtifacts({ folder, version: '7.8.9' }, {});

  const text = read('.dev/release/7.8.9/parcelworks-7.8.9.cdx.json');
  const bill = JSON.parse(text);
  const packages = JSON.parse(read('package.json'));
  const parts = new Set(bill.components.map(({ name }: { name: string }) => name));
  t.is(bill.bomFormat, 'CycloneDX');
  t.is(bill.metadata.component.name, 'parcelworks');
  t.deepEqual(
    Object.keys(packages.dependencies).filter((name) => !parts.has(name)),
    [],
  );
  t.deepEqual(
    ['ava', 'axe-core', '@biomejs/biome'].filter((name) => parts.has(name)),
    [],
  );
  const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']));
  const named = bill.dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
    ref,
    ...dependsOn,
  ]);
  t.deepEqual(
    named.filter((ref: string) => !refs.has(ref)),
    [],
  );
  t.notRegex(text, /"distribution"|\.tgz/);
  t.true(read('.dev/release/7.8.9/notes.md').startsWith('- News.\n'));
  t.is(await git('status', '--porcelain', '.dev'), '');
});

test('release artifacts: refuses a version that the changelog does not have', async (t) => {
  const { folder } = await clone(t);

  await t.throwsAsync(makeArtifacts({ folder, version: '7.8.9' }, {}), {
    message: 'CHANGELOG.md has no section 7.8.9',
  });
});

test.serial(
  'release artifacts: pushes the four images and notes their digests, where Docker answers',
  async (t) => {
    const { folder, read } = await clone(t);
    writeFileSync(join(folder, 'CHANGELOG.md'), withRelease(read('CHANGELOG.md'), '7.8.9', '2026-11-29'));
    const bin = join(folder, '.dev', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, 'docker'),
      `#!/bin/sh
echo "$@" >>"${bin}/calls"
while [ $# -gt 0 ]; do
  [ "$1" = --target ] && target=$2
  [ "$1" = --metadata-file ] && echo "{\\"containerimage.digest\\":\\"sha256:$target\\"}" >"$2"
  shift
done
`,
    );
    chmodSync(join(bin, 'docker'), 0o755);
    const { PATH = '' } = process.env;
    process.env.PATH = bin + delimiter + PATH;
    t.teardown(() => {
      process.env.PATH = PATH;
    });

    await makeArtifacts({ folder, version: '7.8.9' }, { registry: 'registry.example.com/parcelworks' });

    const notes = read('.dev/release/7.8.9/notes.md');
    for (const target of ['api', 'worker', 'documents', 'migrate'])
      t.true(
        notes.includes(`- \`registry.example.com/parcelworks-${target}:7.8.9@sha256:${target}\`\n`),
        notes,
      );
    const calls = readFileSync(join(bin, 'calls'), 'utf8');
    t.is(calls.match(/^buildx build .* --push \.$/gm)?.length, 4, calls);
  },
);

/** A program in place of npm that prints this and ends with 1, as npm does with a finding and without an answer. */
function npmThatSays(t: ExecutionContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'npm-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'npm');
  writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${text}\nEND\nexit 1\n`);
  chmodSync(path, 0o755);
  return path;
}

test('auditDependencies: what a registry without the endpoint answers is not a clean audit', async (t) => {
  const refused = npmThatSays(
    t,
    'npm warn audit 405\n{ "message": "405 Method Not Allowed - POST https://registry.example.com/advisories", "statusCode": 405, "error": { "summary": "", "detail": "" } }',
  );
  const found = (high: number) =>
    npmThatSays(
      t,
      JSON.stringify({
        auditReportVersion: 2,
        metadata: { vulnerabilities: { high, critical: 0, total: 3 } },
      }),
    );
  const audit = async (npm: string) => await auditDependencies(projectFolder, npm);

  t.deepEqual(await audit(refused), {
    kind: 'skipped',
    text: 'the registry answered: 405 Method Not Allowed',
  });
  t.deepEqual(await audit('/nowhere/npm'), { kind: 'skipped', text: 'npm gave no report' });
  t.deepEqual(await audit(found(1)), {
    kind: 'weak',
    text: '3 known weaknesses, 1 of them high or critical',
  });
  t.like(await audit(found(0)), { kind: 'clean' });
});
