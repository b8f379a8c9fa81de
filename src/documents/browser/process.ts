import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser } from 'puppeteer';
import { inTime } from '../../lib/in-time.js';
import { isAlive } from '../../lib/is-alive.js';
import { BrowserError, type BrowserPlace, findBrowser } from './find.js';

/** What the browser is started with. */
export interface LaunchOptions extends BrowserPlace {
  /** All that the browser sees of the environment. */
  environment: Readonly<Record<string, string>>;
  /** False where the system forbids the browser its own sandbox, as containers do. */
  sandbox: boolean;
}

/** A browser, and how many documents it has printed. */
export interface Running {
  browser: Browser;
  profile: string;
  documents: number;
}

export const LAUNCH_TIMEOUT_MS = 30_000;
export const CLOSE_TIMEOUT_MS = 2000;
const PROFILE_PREFIX = 'parcelworks-browser-';
/** Chromium's and Chrome's. */
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
  // Nothing is to be fetched; should a request slip through, it finds neither names nor a way out.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
];

/**
 * Starts a browser with a profile of its own.
 * @throws NoBrowser, BrowserError
 */
export async function launch(options: LaunchOptions): Promise<Running> {
  const executablePath = findBrowser(options);
  await removeOrphans();
  const profile = await mkdtemp(join(tmpdir(), `${PROFILE_PREFIX}${process.pid}-`));
  try {
    // Hundreds of modules: a worker that has not printed yet is up half a second earlier without them.
    const { default: puppeteer } = await import('puppeteer');
    const browser = await puppeteer.launch({
      headless: true,
      // A browser on a pipe ends by itself when this process is killed.
      pipe: true,
      userDataDir: profile,
      timeout: LAUNCH_TIMEOUT_MS,
      protocolTimeout: 600_000,
      // The process that started the browser decides when it ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // It decodes images of others, and is to know no secrets.
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

/** Puppeteer quotes what the browser wrote, and then its own advice. */
function notStarted(error: unknown): BrowserError {
  const [said = ''] = String(error instanceof Error ? error.message : error).split('TROUBLESHOOTING');
  const words = said.replace(/\s+/g, ' ').trim().slice(0, 500);
  return new BrowserError(`The browser did not start: ${words}`, { cause: error });
}

/** Puppeteer stops listening when it closes its pipes; the reset of a killed browser comes after that, and unheard ends this process. */
function hearLateErrors(browser: Browser): void {
  for (const pipe of browser.process()?.stdio ?? []) pipe?.on('error', () => undefined);
}

/** Ends the browser with all its processes, whatever state it is in. */
export async function end(running: Running | undefined): Promise<void> {
  if (running === undefined) return;
  const { browser, profile } = running;
  const child = browser.process();
  // Before the end: the browser takes the link away, but not always the folder.
  const socket = await socketFolder(profile);
  try {
    if (browser.connected) await within(CLOSE_TIMEOUT_MS, browser.close());
  } catch {
    // It is killed below.
  }
  killGroup(child?.pid);
  await removeTraces(profile, socket);
}

/** Puppeteer starts the browser as the head of a process group. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** The folder of a browser's socket, which lies beside its profile; null where there is none. */
async function socketFolder(profile: string): Promise<string | null> {
  const folder = dirname(await readlink(join(profile, 'SingletonSocket')).catch(() => ''));
  // A link of somebody else's making must not lead the removal away from there.
  const isBeside = dirname(folder) === dirname(profile);
  return isBeside && SOCKET_FOLDER.test(basename(folder)) ? folder : null;
}

async function removeTraces(...folders: readonly (string | null)[]): Promise<void> {
  for (const folder of folders) {
    if (folder === null) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
  }
}

/** Removes what browsers of killed processes left. */
async function removeOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PROFILE_PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0);
    if (pid === 0 || isAlive(pid)) continue;
    const profile = join(tmpdir(), name);
    await removeTraces(profile, await socketFolder(profile));
  }
}

/** The work's result. @throws BrowserError when it takes longer; it goes on unwatched then. */
export function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return inTime(
    timeoutMs,
    work,
    () => new BrowserError(`The browser did not answer within ${timeoutMs} ms.`),
  );
}
