import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of 256 KiB, which can be filled. Null where this user may not mount one. */
export interface SmallDisk {
  path: string;
  /** Leaves no room; returns how to make it again. */
  fill(): () => void;
  remove(): void;
}

export function mountSmallDisk(): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'parcelworks-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    fill() {
      const filler = join(path, 'filler');
      writeUntilFull(filler);
      return () => rmSync(filler);
    },
    remove() {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: string): void {
  try {
    for (;;) writeFileSync(file, randomBytes(4096), { flag: 'a' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
