import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { devFolder } from '../../../tools/launcher/paths.js';
import type { Node } from './nodes.js';

interface Logged {
  logFile: string;
}

/**
 * Copies the logs of all processes out of the folders that end with the campaign.
 * @returns the folder where they stay
 */
export function keepLogs({
  nodes,
  engines,
}: {
  nodes: readonly (Pick<Node, 'kind'> & { process: Logged })[];
  engines: Record<'mysql' | 'temporal', Logged>;
}): string {
  // Temporary files, too, end with the run.
  mkdirSync(devFolder, { recursive: true });
  const folder = mkdtempSync(join(devFolder, 'campaign-'));
  const logs = [
    ...nodes.map(({ kind, process: { logFile } }, index) => ({ name: `${kind}-${index + 1}`, logFile })),
    { name: 'MySQL', logFile: engines.mysql.logFile },
    { name: 'engine', logFile: engines.temporal.logFile },
  ];
  for (const { name, logFile } of logs) cpSync(logFile, join(folder, `${name}.log`));
  return folder;
}
