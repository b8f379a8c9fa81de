import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './paths.js';
import { SetupError } from './progress.js';

/** Nobody's host: `.npmrc` has npm put the registry of whoever installs in its place. */
const ANY_REGISTRY = 'https://packages.invalid';
const PACKAGES_FOLDER = 'node_modules/';
const path = join(projectFolder, 'package-lock.json');

interface LockedPackage {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly resolved?: string;
  /** Only what comes as a file of a registry has it. */
  readonly integrity?: string;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

function tarball(location: string, { name, version }: LockedPackage): string {
  const start = location.lastIndexOf(PACKAGES_FOLDER) + PACKAGES_FOLDER.length;
  const full = name ?? location.slice(start);
  return `${ANY_REGISTRY}/${full}/-/${full.slice(full.lastIndexOf('/') + 1)}-${version}.tgz`;
}

function isLockFile(value: unknown): value is LockFile {
  return typeof value === 'object' && value !== null && 'packages' in value;
}

/**
 * The lock file with the address of every package, on no registry in particular. Without addresses npm asks the
 * registry for the whole history of each package first, which is a third of an installation's time.
 *
 * @throws SetupError when it is no lock file.
 */
export function withAddresses(lockFile: string): string {
  const lock: unknown = JSON.parse(lockFile);
  if (!isLockFile(lock)) throw new SetupError('package-lock.json lists no packages');
  const packages: Record<string, LockedPackage> = {};
  for (const [location, locked] of Object.entries(lock.packages)) {
    const { name, version, resolved: _, ...rest } = locked;
    packages[location] =
      locked.integrity === undefined
        ? locked
        : { name, version, resolved: tarball(location, locked), ...rest };
  }
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

/** Whether the lock file is as `withAddresses` writes it. */
export function hasAddresses(): boolean {
  const lockFile = readFileSync(path, 'utf8');
  return withAddresses(lockFile) === lockFile;
}

/** Rewrites the lock file after npm has added a package; a touched one would have every package installed anew. */
export function addAddresses(): void {
  if (!hasAddresses()) writeFileSync(path, withAddresses(readFileSync(path, 'utf8')));
}
