import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where to look for a browser. */
export interface BrowserPlace {
  /** `PUPPETEER_EXECUTABLE_PATH`; null searches the `PATH`. */
  executablePath: string | null;
  /** The browser's whole environment; its `PATH` is searched. */
  environment: Readonly<Record<string, string>>;
}

/** The browser failed. The message never holds the printed content. */
export class BrowserError extends Error {
  override name = 'BrowserError';
}

/** No browser was found. The message says what to do. */
export class NoBrowser extends BrowserError {
  override name = 'NoBrowser';
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** Where Debian's package installs it, also when the PATH lacks that folder. */
const DEBIAN = '/usr/bin';

/** Path of the browser: the configured one, else the first on the PATH, else Debian's. @throws NoBrowser */
export function findBrowser({ executablePath, environment }: BrowserPlace): string {
  if (executablePath !== null) {
    if (isExecutable(executablePath)) return executablePath;
    throw new NoBrowser(`PUPPETEER_EXECUTABLE_PATH names ${executablePath}, which is no program.`);
  }
  const folders = [...(environment['PATH'] ?? '').split(delimiter), DEBIAN].filter((folder) => folder !== '');
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  throw new NoBrowser(
    'There is no Chromium on the PATH. Install it (Debian: apt install chromium), or name it in PUPPETEER_EXECUTABLE_PATH.',
  );
}

/** Whether this process may start the program. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
