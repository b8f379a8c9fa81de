import type { Client } from '@temporalio/client';
import { findBuilds } from '../temporal/builds.js';

/** Warns where no run comes to this build: nothing is wrong, but it waits, and says nothing more. Never rejects. */
export async function adviseOnBuild(
  build: string | null,
  temporal: Client,
  warn: (line: string) => void,
): Promise<void> {
  if (build === null) return;
  try {
    const found = await findBuilds(temporal);
    if (found?.current === build || found?.ramping?.build === build) return;
    warn(`no runs come to build ${build} until "admin deploy set-current ${build}"`);
  } catch {
    // The advice is for people. A worker that works does not end for it.
    warn(
      `Temporal does not say whether runs come to build ${build}; "admin deploy status" does once it answers`,
    );
  }
}
