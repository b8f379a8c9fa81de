import { bareEnvironment } from '../../src/config/bare-environment.js';
import { findBrowser, NoBrowser } from '../../src/documents/browser/find.js';
import { aptInstall, canUseApt } from '../launcher/run.js';

/** Path of a Chromium: `PUPPETEER_EXECUTABLE_PATH`, PATH or Debian's package; null when there is none. */
export async function findChromium(): Promise<string | null> {
  const found = find();
  if (found === null && canUseApt() && (await aptInstall(['chromium']))) return find();
  return found;
}

function find(): string | null {
  const executablePath = process.env['PUPPETEER_EXECUTABLE_PATH'] ?? null;
  try {
    return findBrowser({ executablePath, environment: bareEnvironment() });
  } catch (error) {
    if (error instanceof NoBrowser) return null;
    throw error;
  }
}
