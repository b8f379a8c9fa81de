import { SetupError } from '../launcher/progress.js';

const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with what was unreleased as the section of a version, and an empty section above it. `day`: `2026-11-29`.
 * @throws SetupError where there is nothing to release
 */
export function withRelease(changelog: string, version: string, day: string): string {
  if (sectionOf(changelog, 'Unreleased') === '')
    throw new SetupError('CHANGELOG.md has nothing below [Unreleased]: say there what is new');
  return changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## [${version}] - ${day}\n`);
}

/** The text below a version's heading; empty where there is none. */
export function sectionOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## \[/m);
  const section = sections.find((one) => one.startsWith(`${version}]`)) ?? '';
  return section.split('\n').slice(1).join('\n').trim();
}
