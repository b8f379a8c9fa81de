import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, say } from '../launcher/progress.js';
import { runOrFail } from '../launcher/run.js';
import { sectionOf, withRelease } from './changelog.js';
import { buildImages, findBuilder } from './images.js';
import { auditDependencies, billOfMaterials } from './npm.js';

const NAME = 'parcelworks';
const CHART = 'chart/Chart.yaml';

interface Release {
  /** The checkout. */
  folder: string;
  /** Such as `0.2.0`. */
  version: string;
}

/**
 * Makes the commit and the tag of a release: its section in the changelog, the version in package, lock file and chart.
 * Writes nothing unless `isReal`. @throws SetupError where it cannot be made
 */
export async function makeRelease({ folder, version }: Release, isReal: boolean): Promise<void> {
  const git = (...args: string[]) => runOrFail(`git ${args[0] ?? ''}`, 'git', args, { cwd: folder });
  if ((await git('status', '--porcelain')).trim() !== '')
    throw new SetupError('the checkout has changes that are not committed');
  checkVersion(version, (await git('tag', '--list', 'v*')).split('\n'));
  const day = new Date().toISOString().slice(0, 10);
  const changelog = withRelease(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), version, day);
  await sayAudit(folder);
  if (!isReal) {
    say(
      `would write CHANGELOG.md, package.json, package-lock.json and ${CHART}, commit them and tag v${version}:`,
    );
    say(sectionOf(changelog, version));
    return;
  }
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const args = ['version', version, '--no-git-tag-version', '--allow-same-version'];
  await runOrFail('npm version', 'npm', args, { cwd: folder });
  const chart = readFileSync(join(folder, CHART), 'utf8');
  writeFileSync(join(folder, CHART), chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  await git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  await git('tag', '--annotate', `v${version}`, '--message', `${NAME} ${version}`);
  say(`✔ committed and tagged v${version}; git push --follow-tags sends both`);
}

/** @throws SetupError unless it is one, and above every tag's */
function checkVersion(version: string, tags: readonly string[]): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new SetupError(`${version} is no version such as 0.2.0`);
  const above = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag) && !isAbove(version, tag.slice(1)));
  if (above.length > 0) throw new SetupError(`${version} is not above ${above.join(', ')}`);
}

function isAbove(version: string, other: string): boolean {
  const [wanted, there] = [version, other].map((text) => text.split('.').map(Number));
  const difference = wanted?.map((part, index) => part - (there?.[index] ?? 0)).find((part) => part !== 0);
  return (difference ?? 0) > 0;
}

async function sayAudit(folder: string): Promise<void> {
  const { kind, text } = await auditDependencies(folder);
  if (kind === 'weak') throw new SetupError(`dependency audit: ${text} (npm audit --omit dev names them)`);
  say(kind === 'clean' ? `✔ dependency audit: ${text}` : `skipped dependency audit: ${text}`);
}

/**
 * Makes what goes with a release of this checkout, in `.dev/release/<version>`: the bill of materials, the notes, and the
 * images with their digests where Docker can build them. @throws SetupError
 */
export async function makeArtifacts(
  { folder, version }: Release,
  { registry }: { registry?: string | undefined },
): Promise<void> {
  const notes = sectionOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), version);
  if (notes === '') throw new SetupError(`CHANGELOG.md has no section ${version}`);
  const target = join(folder, '.dev', 'release', version);
  mkdirSync(target, { recursive: true });
  const write = (file: string, text: string) => {
    writeFileSync(join(target, file), text);
    say(`✔ ${join(target, file)}`);
  };
  write(`${NAME}-${version}.cdx.json`, await billOfMaterials(folder, NAME));
  const builder = await findBuilder();
  const images = builder === null ? [] : await buildImages(builder, { folder, version, registry });
  if (builder === null) say('skipped images: no Docker with buildx answers here');
  for (const { name, digest } of images) say(`${name} ${digest}`);
  const lines = images.map(({ name, digest }) => `- \`${name}@${digest}\``);
  write('notes.md', images.length === 0 ? `${notes}\n` : `${notes}\n\nImages:\n\n${lines.join('\n')}\n`);
}
