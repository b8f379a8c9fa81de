import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.js', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));

/**
 * Bundles the workflows next to the compiled code, so that a worker starts without bundling. Their modules hold no
 * state of a run, so one copy serves all: otherwise each run evaluates every module anew. The SDK freezes that copy.
 */
export async function writeWorkflowBundle(): Promise<string> {
  // Not needed by who finds the bundle written.
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: WORKFLOWS, preloadModules: [WORKFLOWS] });
  await mkdir(dirname(BUNDLE), { recursive: true });
  const temporary = `${BUNDLE}.${randomUUID()}`;
  await writeFile(temporary, code);
  await rename(temporary, BUNDLE);
  return BUNDLE;
}

/** Path of the prebuilt bundle; built now when there is none or the compiled workflows are newer. */
export async function workflowBundlePath(): Promise<string> {
  const [bundle, source] = await Promise.all([modifiedAt(BUNDLE), modifiedAt(WORKFLOWS)]);
  return bundle >= source && bundle > 0 ? BUNDLE : await writeWorkflowBundle();
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
