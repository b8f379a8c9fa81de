import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { distFolder, projectFolder } from '../launcher/paths.js';
import { moOf } from './mo.js';
import { zipOf } from './zip.js';

const PLUGIN = join(projectFolder, 'clients', 'woocommerce');
const PHP_CLIENT = join(projectFolder, 'clients', 'php', 'src');
/** Below the plugin's own, so that another plugin in the shop can bring another version of the client. */
const NAMESPACE = 'ParcelworksWoo\\Client';

/** The files of the plugin as a shop installs it, by their paths in its folder: its own, the client, translations. */
export function pluginFiles(): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const path of filesBelow(PLUGIN)) {
    const bytes = readFileSync(join(PLUGIN, path));
    if (!path.endsWith('.po')) files.set(path, bytes);
    else files.set(path.replace(/\.po$/, '.mo'), moOf(bytes.toString('utf8')));
  }
  for (const path of filesBelow(PHP_CLIENT)) {
    const text = readFileSync(join(PHP_CLIENT, path), 'utf8');
    files.set(`client/${path}`, Buffer.from(text.replace(/\bParcelworks(?=[\\;])/g, () => NAMESPACE)));
  }
  return files;
}

/** Writes the files into a folder, which is emptied before. */
export function writePlugin(folder: string, files = pluginFiles()): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** The file for WordPress' "Upload Plugin". */
export const PLUGIN_ZIP = join(distFolder, 'clients/parcelworks-woocommerce.zip');

export async function buildPlugin(): Promise<void> {
  const files = [...pluginFiles()].map(([path, bytes]) => [`parcelworks/${path}`, bytes] as const);
  await mkdir(dirname(PLUGIN_ZIP), { recursive: true });
  await writeFile(PLUGIN_ZIP, zipOf(new Map(files)));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
}
