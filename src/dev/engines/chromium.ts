import { aptInstall, canUseApt, which } from '../commands.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Path of a Chromium: `PUPPETEER_EXECUTABLE_PATH`, PATH, Debian's package; null where there is none. */
export async function findChromium(): Promise<string | null> {
  const found = process.env['PUPPETEER_EXECUTABLE_PATH'] ?? which(...NAMES);
  if (found !== null) return found;
  if (canUseApt() && (await aptInstall(['chromium']))) return which(...NAMES);
  return null;
}
