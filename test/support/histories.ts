import { mkdir, writeFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Where recorded histories live, seen from the compiled tests. */
export const HISTORIES = new URL('../../../test/histories/', import.meta.url);

/**
 * Keeps a run's history for the replay tests when RECORD_HISTORIES is set: done once for a new outcome, not by
 * the suite.
 */
export async function keepHistory(handle: WorkflowHandle, workflow: string, outcome: string): Promise<void> {
  if (process.env.RECORD_HISTORIES === undefined) return;
  const history = JSON.stringify(JSON.parse(historyToJSON(await handle.fetchHistory())), withoutMachine, 1);
  const folder = new URL(`${workflow}/`, HISTORIES);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${outcome}.json`, folder), `${history}\n`);
}

/** Leaves out what names the machine that recorded: paths in stack traces, host names. */
function withoutMachine(key: string, value: unknown): unknown {
  return key === 'stackTrace' || key === 'identity' ? '' : value;
}
