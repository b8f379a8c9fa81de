import type { HTTPRequest, Page } from 'puppeteer';
import {
  CLOSE_TIMEOUT_MS,
  end,
  killGroup,
  LAUNCH_TIMEOUT_MS,
  type LaunchOptions,
  launch,
  type Running,
  within,
} from './process.js';

/** How the browser is run. */
export interface BrowserOptions extends LaunchOptions {
  /** Pages that print at the same time. */
  pages: number;
  /** After so many the browser is started anew; 5000 unless a test says otherwise. */
  documentsPerBrowser?: number;
  /** With nothing to print for so long the browser ends; two minutes unless a test says otherwise. */
  restAfterMs?: number;
}

/** What is printed, as HTML. */
export interface Printable {
  /** A page that is loaded once and kept for the next document with the same: its fonts are decoded once. */
  frame: string;
  /** Takes the place of all that stands in the frame's body. */
  body: string;
}

/** Prints HTML as PDF. */
export interface PdfPrinter {
  /**
   * The page as PDF bytes, in the size that its `@page` names. Nothing that the page holds is run or fetched.
   * @throws Error when the browser failed twice, or took longer than `timeoutMs` twice; its start is not counted.
   */
  print(page: Printable, timeoutMs: number): Promise<Buffer>;
  /** Ends the browser; printing afterwards is an error. */
  close(): Promise<void>;
}

/** A page is made anew after so many documents, since a renderer's memory grows. */
const DOCUMENTS_PER_PAGE = 500;
/** So is the browser, whose own process grows too. */
const DOCUMENTS_PER_BROWSER = 5000;
/** A browser at rest holds 250 MB, and the next one starts within a second. */
const REST_AFTER_MS = 120_000;
const TRIES = 2;

/** One place to print: its page is kept warm between documents. */
interface Lane {
  page: Page | undefined;
  /** What the page has loaded. */
  frame: string | undefined;
  /** The browser of the page. */
  running: Running | undefined;
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
      frame: undefined,
      running: undefined,
      documents: 0,
    }));
    this.#idle = [...this.#lanes];
  }

  async print(printable: Printable, timeoutMs: number): Promise<Buffer> {
    const lane = await this.#acquire();
    try {
      for (let tries = 1; ; tries += 1) {
        if (this.#closed) throw new Error('the browser is closed');
        try {
          const page = await within(LAUNCH_TIMEOUT_MS + CLOSE_TIMEOUT_MS, this.#pageOf(lane));
          const pdf = await within(timeoutMs, printOn(page, lane, printable, timeoutMs));
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
    lane.frame = undefined;
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

/**
 * Runs in the page, which may run nothing of its own. A font is loaded when something is laid out in it, and a frame
 * may show nothing on the screen: so every part of the body has its fonts loaded before it is printed.
 */
const FILL = `async (body) => {
  document.body.innerHTML = body;
  const parts = [...document.body.querySelectorAll(':scope > :not(style)')];
  await Promise.all(parts.flatMap((part) => [400, 700].map((weight) =>
    document.fonts.load(weight + ' 16px ' + getComputedStyle(part).fontFamily, 'Aa\u2026' + part.textContent))));
}`;

/** Without tags, which are for readers aloud and double the size. */
async function printOn(page: Page, lane: Lane, printable: Printable, timeout: number): Promise<Buffer> {
  const { frame, body } = printable;
  if (lane.frame !== frame) {
    lane.frame = undefined;
    await page.setContent(frame, { waitUntil: 'load', timeout });
    lane.frame = frame;
  }
  await page.evaluate(`(${FILL})(${JSON.stringify(body)})`);
  const options = { preferCSSPageSize: true, printBackground: true, tagged: false, outline: false };
  return Buffer.from(await page.pdf({ ...options, waitForFonts: false, timeout }));
}

function refuse(request: HTTPRequest): void {
  const decision = request.url().startsWith('data:') ? request.continue() : request.abort();
  // The page may be gone by now.
  decision.catch(() => undefined);
}
