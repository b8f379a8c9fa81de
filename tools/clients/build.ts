import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder, packageScript, projectFolder } from '../launcher/paths.js';
import { run } from '../launcher/run.js';
import { generatedModules } from './typescript.js';

const SOURCE = join(projectFolder, 'clients/typescript');
/** The package as it is published. */
export const TYPESCRIPT_CLIENT = join(distFolder, 'clients/typescript');
const COMMONJS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];
/** Formats that `package.json` beside them tells Node. */
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

/** Makes the TypeScript client from the API's document, as ESM and CommonJS. @throws Error with what the compiler says */
export async function buildTypescriptClient(): Promise<void> {
  const generated = join(SOURCE, 'src/generated');
  // A module of an earlier document would be compiled and packed too.
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  for (const [name, text] of Object.entries(generatedModules())) writeFileSync(join(generated, name), text);
  rmSync(TYPESCRIPT_CLIENT, { recursive: true, force: true });
  await Promise.all([compile('esm', []), compile('cjs', COMMONJS)]);
  cpSync(join(SOURCE, 'package.json'), join(TYPESCRIPT_CLIENT, 'package.json'));
  cpSync(join(SOURCE, 'README.md'), join(TYPESCRIPT_CLIENT, 'README.md'));
  cpSync(join(projectFolder, 'LICENSE'), join(TYPESCRIPT_CLIENT, 'LICENSE'));
}

async function compile(format: keyof typeof FORMATS, options: readonly string[]): Promise<void> {
  const folder = join(TYPESCRIPT_CLIENT, format);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: FORMATS[format] }));
  const args = [packageScript('typescript', 'bin/tsc'), '-p', SOURCE, '--outDir', folder, ...options];
  const { code, output } = await run(process.execPath, args, { cwd: projectFolder });
  if (code !== 0) throw new Error(`the TypeScript client does not compile:\n${output}`);
}
