import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, HTTPRequest, Page } from 'puppeteer';

/** How the browser is run. */
export interface BrowserOptions {
  /** Null lets Puppeteer look for one. */
  executablePath: string | null;
  /** Pages that print at the same time. */
  pages: number;
  /** All that the browser sees of the environment. */
  environment: Readonly<Record<string, string>>;
  /** False where the system forbids the browser its own sandbox, as containers do. */
  sandbox: boolean;
  /** After so many the browser is started anew; 5000 unless a test says otherwise. */
  documentsPerBrowser?: number;
  /** With nothing to print for so long the browser ends; two minutes unless a test says otherwise. */
  restAfterMs?: number;
}

/** Prints HTML as PDF. */
export interface PdfPrinter {
  /**
   * The page as PDF bytes, in the size that its `@page` names. Nothing that the page holds is run or fetched.
   * @throws Error when the browser failed twice, or took longer than `timeoutMs` twice; its start is not counted.
   */
  print(html: string, timeoutMs: number): Promise<Buffer>;
  /** Ends the browser; printing afterwards is an error. */
  close(): Promise<void>;
}

const LAUNCH_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2000;
/** A page is made anew after so many documents, since a renderer's memory grows. */
const DOCUMENTS_PER_PAGE = 500;
/** So is the browser, whose own process grows too. */
const DOCUMENTS_PER_BROWSER = 5000;
/** A browser at rest holds 250 MB, and the next one starts within a second. */
const REST_AFTER_MS = 120_000;
const TRIES = 2;
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

/** One place to print: its page is kept warm between documents. */
interface Lane {
  page: Page | undefined;
  /** The browser of the page. */
  running: Running | undefined;
  documents: number;
}

interface Running {
  browser: Browser;
  profile: string;
  documents: number;
}

/** A browser with a few warm pages, started on first use and started again when it dies or hangs. */
export class BrowserPool implements PdfPrinter {
  readonly #options: BrowserOptions;
  readonly #lanes: readonly Lane[];
  readonly #idle: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];
  #running: Promise<Running> | undefined;
  #rest: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BrowserOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.pages }, () => ({
      page: undefined,
      running: undefined,
      documents: 0,
    }));
    this.#idle = [...this.#lanes];
  }

  async print(html: string, timeoutMs: number): Promise<Buffer> {
    const lane = await this.#acquire();
    try {
      for (let tries = 1; ; tries += 1) {
        if (this.#closed) throw new Error('the browser is closed');
        try {
          const page = await within(LAUNCH_TIMEOUT_MS + CLOSE_TIMEOUT_MS, this.#pageOf(lane));
          const pdf = await within(timeoutMs, printOn(page, html, timeoutMs));
          lane.documents += 1;
          if (lane.running !== undefined) lane.running.documents += 1;
          return pdf;
        } catch (error) {
          await this.#discard(lane);
          if (tries >= TRIES) throw error;
        }
      }
    } finally {
      this.#release(lane);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rest);
    await this.#endAll();
  }

  /** What is asked for meanwhile gets a browser of its own. */
  async #endAll(): Promise<void> {
    const current = this.#running;
    this.#running = undefined;
    // A worn browser lives on while a page of it is idle.
    const worn = this.#lanes.map(({ running }) => running);
    for (const lane of this.#lanes) Object.assign(lane, { page: undefined, running: undefined });
    const all = new Set([await current?.catch(() => undefined), ...worn]);
    await Promise.all([...all].map(end));
  }

  async #pageOf(lane: Lane): Promise<Page> {
    const isWorn = lane.documents >= DOCUMENTS_PER_PAGE || this.#isWorn(lane.running);
    if (lane.page?.isClosed() === false && !isWorn) return lane.page;
    if (lane.page !== undefined) await this.#discard(lane);
    const running = await this.#browser();
    const page = await running.browser.newPage();
    lane.running = running;
    await page.setJavaScriptEnabled(false);
    await page.setRequestInterception(true);
    page.on('request', refuse);
    lane.page = page;
    lane.documents = 0;
    return page;
  }

  #isWorn(running: Running | undefined): boolean {
    const limit = this.#options.documentsPerBrowser ?? DOCUMENTS_PER_BROWSER;
    return running !== undefined && running.documents >= limit;
  }

  /** Gives the page up. A page that does not close takes the browser with it: its renderer hangs. */
  async #discard(lane: Lane): Promise<void> {
    const { page, running: worn } = lane;
    lane.page = undefined;
    lane.running = undefined;
    if (page === undefined || page.isClosed()) return;
    try {
      await within(CLOSE_TIMEOUT_MS, page.close());
      const isLast = this.#lanes.every(({ running }) => running !== worn);
      if (isLast && this.#isWorn(worn)) await end(worn);
    } catch {
      const running = await this.#running?.catch(() => undefined);
      this.#running = undefined;
      killGroup(running?.browser.process()?.pid);
      await end(running);
    }
  }

  async #browser(): Promise<Running> {
    const known = this.#running;
    if (known !== undefined) {
      if (!this.#isWorn(await known)) return await known;
      // Its other pages print on; the last of them ends it.
      if (this.#running === known) this.#running = undefined;
      return await this.#browser();
    }
    const starting = launch(this.#options);
    this.#running = starting;
    const forget = () => {
      if (this.#running === starting) this.#running = undefined;
    };
    starting.then((running) => {
      running.browser.once('disconnected', () => {
        forget();
        void end(running);
      });
    }, forget);
    return await starting;
  }

  #acquire(): Promise<Lane> {
    clearTimeout(this.#rest);
    const lane = this.#idle.pop();
    if (lane !== undefined) return Promise.resolve(lane);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(lane: Lane): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(lane);
      return;
    }
    this.#idle.push(lane);
    if (this.#idle.length < this.#lanes.length) return;
    const { restAfterMs = REST_AFTER_MS } = this.#options;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#endAll(), restAfterMs).unref();
  }
}

/** Without tags, which are for readers aloud and double the size. */
async function printOn(page: Page, html: string, timeout: number): Promise<Buffer> {
  await page.setContent(html, { waitUntil: 'load', timeout });
  return Buffer.from(
    await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: false, timeout }),
  );
}

async function launch(options: BrowserOptions): Promise<Running> {
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
      ...(options.executablePath === null ? {} : { executablePath: options.executablePath }),
    });
    return { browser, profile, documents: 0 };
  } catch (error) {
    await removeTraces(profile, await socketFolder(profile));
    throw error;
  }
}

/** Ends the browser with all its processes, whatever state it is in. */
async function end(running: Running | undefined): Promise<void> {
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
function killGroup(pid: number | undefined): void {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user, but there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function refuse(request: HTTPRequest): void {
  const decision = request.url().startsWith('data:') ? request.continue() : request.abort();
  // The page may be gone by now.
  decision.catch(() => undefined);
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new Error(`the browser did not answer within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    work.catch(() => undefined);
    late.catch(() => undefined);
    stop.abort();
  }
}
