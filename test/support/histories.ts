import { mkdir, writeFile } from 'node:fs/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Folder of recorded histories, relative to the compiled tests. */
export const HISTORIES = new URL('../../../test/histories/', import.meta.url);

/** Stores a run's history for the replay tests if RECORD_HISTORIES is set; the suite never does. */
export async function keepHistory(handle: WorkflowHandle, workflow: string, outcome: string): Promise<void> {
  if (process.env.RECORD_HISTORIES === undefined) return;
  const history = JSON.stringify(JSON.parse(historyToJSON(await handle.fetchHistory())), withoutMachine, 1);
  const folder = new URL(`${workflow}/`, HISTORIES);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL(`${outcome}.json`, folder), `${history}\n`);
}

/** Removes stack traces and host names, which identify the recording machine. */
function withoutMachine(key: string, value: unknown): unknown {
  return key === 'stackTrace' || key === 'identity' ? '' : value;
}
