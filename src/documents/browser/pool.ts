import type { HTTPRequest, Page } from 'puppeteer';
import { LIMITS } from '../../lib/limits/values.js';
import { end, killGroup, type LaunchOptions, launch, type Running, within } from './process.js';

const DOCUMENTS_OF_PAGE = 500;
const DOCUMENTS_OF_BROWSER = 5000;
const REST_MS = 120_000;

interface BrowserOptions extends LaunchOptions {
  /** Pages that print at the same time. */
  pages: number;
  /** The browser is restarted after this many documents; 5000 by default. */
  documentsPerBrowser?: number;
  /** The browser ends after this long without work; two minutes by default. */
  restAfterMs?: number;
}

/** HTML to print. */
export interface Printable {
  /** A page that stays loaded for later documents with the same frame, so that fonts are decoded once. */
  frame: string;
  /** Replaces the frame's body. */
  body: string;
}

export interface PdfPrinter {
  /**
   * Returns the page as PDF, in the size of its `@page`. Scripts do not run and nothing is fetched. @throws
   * Error when the browser failed or exceeded `timeoutMs` (its start excluded) twice.
   */
  print(page: Printable, timeoutMs: number): Promise<Buffer>;
  /** Ends the browser; printing afterwards is an error. */
  close(): Promise<void>;
}

/** One place to print; its page stays open between documents. */
interface Lane {
  page: Page | undefined;
  /** The frame that the page has loaded. */
  frame: string | undefined;
  /** The browser that the page belongs to. */
  running: Running | undefined;
  documents: number;
}

/** A browser with a few open pages, started on first use and restarted when it dies or hangs. */
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
          const page = await within(LIMITS.labels.launchMs + LIMITS.labels.closeMs, this.#pageOf(lane));
          const pdf = await within(timeoutMs, printOn(page, lane, printable, timeoutMs));
          lane.documents += 1;
          if (lane.running !== undefined) lane.running.documents += 1;
          return pdf;
        } catch (error) {
          await this.#discard(lane);
          if (tries >= 2) throw error;
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

  /** Work that arrives meanwhile starts a new browser. */
  async #endAll(): Promise<void> {
    const current = this.#running;
    this.#running = undefined;
    // A worn browser lives on while one of its pages is idle.
    const worn = this.#lanes.map(({ running }) => running);
    for (const lane of this.#lanes) Object.assign(lane, { page: undefined, running: undefined });
    const all = new Set([await current?.catch(() => undefined), ...worn]);
    await Promise.all([...all].map(end));
  }

  async #pageOf(lane: Lane): Promise<Page> {
    const isWorn = lane.documents >= DOCUMENTS_OF_PAGE || this.#isWorn(lane.running);
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
    const limit = this.#options.documentsPerBrowser ?? DOCUMENTS_OF_BROWSER;
    return running !== undefined && running.documents >= limit;
  }

  /** Closes the page. If that fails, the renderer hangs and the whole browser is ended. */
  async #discard(lane: Lane): Promise<void> {
    const { page, running: worn } = lane;
    lane.page = undefined;
    lane.running = undefined;
    if (page === undefined || page.isClosed()) return;
    try {
      await within(LIMITS.labels.closeMs, page.close());
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
      // Its other pages finish their work; the last one ends it.
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
    const { restAfterMs = REST_MS } = this.#options;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#endAll(), restAfterMs).unref();
  }
}

/**
 * Runs in the page, where scripts are off. Fonts load only when something is laid out in them, and a frame may
 * show nothing on screen, so this loads the fonts of every part of the body before printing.
 */
const FILL = `async (body) => {
  document.body.innerHTML = body;
  const parts = [...document.body.querySelectorAll(':scope > :not(style)')];
  await Promise.all(parts.flatMap((part) => [400, 700].map((weight) =>
    document.fonts.load(weight + ' 16px ' + getComputedStyle(part).fontFamily, 'Aa\u2026' + part.textContent))));
}`;

/** Prints without tags, which only screen readers use and which double the size. */
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
  // The page may be closed by now.
  decision.catch(() => undefined);
}
