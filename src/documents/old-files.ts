import { randomInt } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FILES_AT_ONCE = 100;

/**
 * Deletes files below a folder that were written before `beforeMs` (ms since 1970). Yields the number deleted
 * after every hundred files or fewer.
 */
export async function* deleteOldFiles(folder: string, beforeMs: number): AsyncGenerator<number, void> {
  let paths: string[] = [];
  for await (const path of filesBelow(folder)) {
    if (paths.push(path) < FILES_AT_ONCE) continue;
    yield await deleteThoseBefore(beforeMs, paths);
    paths = [];
  }
  yield await deleteThoseBefore(beforeMs, paths);
}

async function deleteThoseBefore(beforeMs: number, paths: readonly string[]): Promise<number> {
  const deleted = await Promise.all(paths.map((path) => unlessGone(() => deleteIfBefore(beforeMs, path))));
  return deleted.filter((isDeleted) => isDeleted === true).length;
}

async function deleteIfBefore(beforeMs: number, path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (mtimeMs >= beforeMs) return false;
  await rm(path, { force: true });
  return true;
}

/**
 * The files of a folder and its subfolders, which are few and have two-letter names. Starts at a random one, so
 * that interrupted walks do not always skip the same.
 */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = (await unlessGone(() => readdir(folder, { withFileTypes: true }))) ?? [];
  const first = entries.length === 0 ? 0 : randomInt(entries.length);
  for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
    else yield* fileOf(folder, entry);
  }
}

/** Streams the entries: a folder may hold half a year of labels. */
async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await unlessGone(() => opendir(folder));
  for await (const entry of entries ?? []) yield* fileOf(folder, entry);
}

function* fileOf(folder: string, entry: Dirent): Generator<string> {
  if (entry.isFile()) yield join(folder, entry.name);
}

/** Null when the path does not exist, yet or any more. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
