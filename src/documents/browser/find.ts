import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a browser is looked for. */
export interface BrowserPlace {
  /** `PUPPETEER_EXECUTABLE_PATH`; null looks for one. */
  executablePath: string | null;
  /** Whose `PATH` is searched. */
  environment: Readonly<Record<string, string>>;
}

/** The browser did not do its work. The message is ours and the browser's, and holds nothing that was to be printed. */
export class BrowserError extends Error {
  override name = 'BrowserError';
}

/** There is no browser. The message says what to do. */
export class NoBrowser extends BrowserError {
  override name = 'NoBrowser';
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** Of Debian's package, for who has a PATH without it. */
const DEBIAN = '/usr/bin';

/**
 * Path of the browser that prints: the one that is named, else the first on the PATH, else Debian's.
 * @throws NoBrowser
 */
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
