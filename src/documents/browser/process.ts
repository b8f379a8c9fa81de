import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser } from 'puppeteer';
import { inTime } from '../../lib/in-time.js';
import { isAlive } from '../../lib/is-alive.js';
import { LIMITS } from '../../lib/limits/values.js';
import { BrowserError, type BrowserPlace, findBrowser } from './find.js';

export interface LaunchOptions extends BrowserPlace {
  /** False where the system forbids the browser its sandbox, as in containers. */
  sandbox: boolean;
}

/** A browser and the number of documents it printed. */
export interface Running {
  browser: Browser;
  profile: string;
  documents: number;
}

const PROFILE_PREFIX = 'parcelworks-browser-';
/** The names that Chromium and Chrome give it. */
const SOCKET_FOLDER = /^\.?(?:org\.chromium|com\.google)\.\w+\.\w+$/;

const ARGUMENTS = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  // Nothing should be fetched; a request that slips through finds neither DNS nor a proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
];

/** Starts a browser with a fresh profile. @throws NoBrowser, BrowserError */
export async function launch(options: LaunchOptions): Promise<Running> {
  const executablePath = findBrowser(options);
  await removeOrphans();
  const profile = await mkdtemp(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
  try {
    // Imported late: hundreds of modules, half a second of a worker's start.
    const { default: puppeteer } = await import('puppeteer');
    const browser = await puppeteer.launch({
      headless: true,
      // A browser on a pipe ends when this process is killed.
      pipe: true,
      userDataDir: profile,
      timeout: LIMITS.labels.launchMs,
      protocolTimeout: 600_000,
      // This process ends the browser itself.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // The browser decodes foreign images, so it gets no secrets.
      env: { ...options.environment },
      args: [...ARGUMENTS, ...(options.sandbox ? [] : ['--no-sandbox'])],
      executablePath,
    });
    hearLateErrors(browser);
    return { browser, profile, documents: 0 };
  } catch (error) {
    await removeTraces(profile, await socketFolder(profile));
    throw notStarted(error);
  }
}

/** Keeps the browser's own output and drops Puppeteer's advice. */
function notStarted(error: unknown): BrowserError {
  const [said = ''] = String(error instanceof Error ? error.message : error).split('TROUBLESHOOTING');
  const words = said.replace(/\s+/g, ' ').trim().slice(0, 500);
  return new BrowserError(`The browser did not start: ${words}`, { cause: error });
}

/** Ignores pipe errors that follow a kill: Puppeteer no longer listens then, and an unheard error ends the process. */
function hearLateErrors(browser: Browser): void {
  for (const pipe of browser.process()?.stdio ?? []) pipe?.on('error', () => undefined);
}

/** Ends the browser and all its processes, in any state. */
export async function end(running: Running | undefined): Promise<void> {
  if (running === undefined) return;
  const { browser, profile } = running;
  const child = browser.process();
  // Read first: the browser deletes the link on exit, but not always the folder.
  const socket = await socketFolder(profile);
  try {
    if (browser.connected) await within(LIMITS.labels.closeMs, browser.close());
  } catch {
    // It is killed below.
  }
  killGroup(child?.pid);
  await removeTraces(profile, socket);
}

/** Puppeteer starts the browser as leader of a process group. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** The folder of the browser's socket, beside its profile; null when there is none. */
async function socketFolder(profile: string): Promise<string | null> {
  const folder = dirname(await readlink(join(profile, 'SingletonSocket')).catch(() => ''));
  // A forged link must not make us delete anything else.
  const isBeside = dirname(folder) === dirname(profile);
  return isBeside && SOCKET_FOLDER.test(basename(folder)) ? folder : null;
}

async function removeTraces(...folders: readonly (string | null)[]): Promise<void> {
  for (const folder of folders) {
    if (folder === null) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
  }
}

/** Removes the folders that browsers of killed processes left. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PROFILE_PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    const profile = join(tmpdir(), name);
    await removeTraces(profile, await socketFolder(profile));
  }
}

/** Awaits the work. @throws BrowserError on timeout; the work then continues unobserved. */
export function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return inTime(
    timeoutMs,
    work,
    () => new BrowserError(`The browser did not answer within ${timeoutMs} ms.`),
  );
}
