import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.js';
import { CONVERTER_PATHS } from '../temporal/data-converter.js';

/** With payload encryption, workflows also encode their failures. */
type BundleConfig = Pick<Config, 'payloadEncryption'>;

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.js', import.meta.url));
const INTERCEPTORS = [fileURLToPath(new URL('../../workflows/lib/interceptors.js', import.meta.url))];
const BUNDLE = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
const ENCRYPTING_BUNDLE = fileURLToPath(new URL('../../workflow-bundle-encrypting.js', import.meta.url));

/**
 * Bundles the workflows beside the compiled code, so that workers start faster. Their modules hold no state, so
 * all runs share one frozen copy instead of evaluating them again.
 */
export async function writeWorkflowBundle(encrypts: boolean): Promise<string> {
  // Imported late: not needed when the bundle exists.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    // The bundler's report would fill a terminal at a worker's start.
    logger: new DefaultLogger('WARN'),
    workflowsPath: WORKFLOWS,
    preloadModules: [WORKFLOWS, ...INTERCEPTORS],
    workflowInterceptorModules: INTERCEPTORS,
    // Places in our files, without the files themselves: a worker holds the bundle several times.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
    ...(encrypts ? CONVERTER_PATHS : {}),
  });
  const path = pathOf(encrypts);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
  return path;
}

/** Path of the prebuilt bundle; built now when it is missing or outdated. */
export async function workflowBundlePath(config: BundleConfig): Promise<string> {
  const encrypts = config.payloadEncryption !== null;
  const path = pathOf(encrypts);
  const [bundle, source] = await Promise.all([modifiedAt(path), modifiedAt(WORKFLOWS)]);
  return bundle >= source && bundle > 0 ? path : await writeWorkflowBundle(encrypts);
}

function pathOf(encrypts: boolean): string {
  return encrypts ? ENCRYPTING_BUNDLE : BUNDLE;
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
