import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { cacheFolder } from '../launcher/paths.js';
import { run } from '../launcher/run.js';

/** Servers that Temporal's SDK can download. */
export type SdkServer = 'dev-server' | 'test-server';

const PREFIX = {
  'dev-server': 'temporal-sdk-typescript',
  'test-server': 'temporal-test-server-sdk-typescript',
};

function downloaded(server: SdkServer, folder: string): string | null {
  if (!existsSync(folder)) return null;
  const name = readdirSync(folder).find(
    (file) => file.startsWith(PREFIX[server]) && !file.endsWith('.downloading'),
  );
  return name === undefined || statSync(join(folder, name)).size === 0 ? null : join(folder, name);
}

/** Path of the downloaded server, downloading it if needed; null when that fails. */
export async function sdkServer(server: SdkServer): Promise<string | null> {
  const folder = join(cacheFolder, 'sdk');
  mkdirSync(folder, { recursive: true });
  const earlier = downloaded(server, folder);
  if (earlier !== null) return earlier;
  // In a separate process: the SDK downloads only by starting the server, without a time limit.
  const done = await run(process.execPath, [fileURLToPath(import.meta.url), server, folder], {
    timeoutMs: 180_000,
  });
  return done.code === 0 ? downloaded(server, folder) : null;
}

async function download(server: string | undefined, downloadDir: string): Promise<void> {
  const executable = { type: 'cached-download', downloadDir } as const;
  const environment =
    server === 'dev-server'
      ? await TestWorkflowEnvironment.createLocal({ server: { executable } })
      : await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  await environment.teardown();
}

const [, script, server, folder] = process.argv;
if (script === fileURLToPath(import.meta.url) && folder !== undefined) {
  download(server, folder).then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
