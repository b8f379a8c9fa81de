import { bareEnvironment } from '../../src/config/bare-environment.js';
import { BrowserPool } from '../../src/documents/browser/pool.js';
import { createLabelPress } from '../../src/documents/labels/press.js';

/** A press of one page; its pool is to be closed. */
export function onePress() {
  const pool = new BrowserPool({
    executablePath: process.env.PUPPETEER_EXECUTABLE_PATH ?? '/usr/bin/chromium',
    pages: 1,
    sandbox: process.getuid?.() !== 0,
    environment: bareEnvironment(),
  });
  return { pool, press: createLabelPress(pool, 1) };
}
