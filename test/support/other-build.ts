import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder, projectFolder } from '../../tools/launcher/paths.js';

/** The step of a creation before which another build waits. */
const FIRST_STEP = 'const reservation = await';

/**
 * Copies the compiled service to a folder beside its packages, as another build of it, whose creations take one more
 * step first: neither build replays the creations of the other. Returns the folder of its compiled files.
 */
export function makeOtherBuild(folder: string): string {
  const build = join(folder, 'dist');
  mkdirSync(build, { recursive: true });
  for (const part of ['src', 'workflows', 'activities']) {
    cpSync(join(distFolder, part), join(build, part), { recursive: true });
  }
  cpSync(join(projectFolder, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  const file = join(build, 'workflows/create-shipment.js');
  const code = readFileSync(file, 'utf8');
  if (!code.includes(FIRST_STEP)) throw new Error(`${file} has no step ${FIRST_STEP}`);
  writeFileSync(file, code.replace(FIRST_STEP, `await condition(() => false, 1);\n    ${FIRST_STEP}`));
  return build;
}
