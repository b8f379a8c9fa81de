import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { which } from '../../tools/launcher/run.js';

export type BrowserName = 'chromium' | 'firefox';

/** A browser for tests of pages. */
export interface PageBrowser {
  /** Opens a URL in a new page, and records its requests and errors. */
  open(url: string, options?: OpenOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

interface OpenOptions {
  language?: string;
  width?: number;
  height?: number;
  dark?: boolean;
  /** Whether the page follows a stream, so that its network is never idle. */
  isLive?: boolean;
  /** Another origin whose pages are opened too. */
  alsoAt?: string;
  /** Response of other hosts; without it their requests fail. */
  elsewhere?: { contentType: string; body: string | Buffer };
}

export interface OpenedPage {
  page: Page;
  /** All requested URLs. */
  requests: string[];
  /** Policy violations, failures and exceptions. */
  complaints: string[];
}

/** Path of a Firefox on the PATH; null where there is none. */
export function findFirefox(): string | null {
  return which('firefox-esr', 'firefox');
}

/** Starts a browser, by default Chromium; its pages reach nothing outside of this machine. */
export async function startPageBrowser(name: BrowserName = 'chromium'): Promise<PageBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'pages-'));
  const browser = await (name === 'firefox' ? launchFirefox(profile) : launchChromium(profile));
  return {
    async open(url, options = {}) {
      const page = await browser.newPage();
      // A busy machine is slow.
      page.setDefaultTimeout(60_000);
      const opened: OpenedPage = { page, requests: [], complaints: [] };
      await page.setViewport({
        width: options.width ?? 390,
        height: options.height ?? 844,
        deviceScaleFactor: 1,
        isMobile: (options.width ?? 390) < 600,
      });
      if (options.language !== undefined)
        await page.setExtraHTTPHeaders({ 'accept-language': options.language });
      if (options.dark) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
      await page.evaluateOnNewDocument(tellLostFocus);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warn') opened.complaints.push(message.text());
      });
      page.on('pageerror', (error) => opened.complaints.push(String(error)));
      const { origin } = new URL(url);
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        opened.requests.push(request.url());
        const ours = [origin, 'data:', ...(options.alsoAt === undefined ? [] : [options.alsoAt])];
        const isOurs = ours.some((start) => request.url().startsWith(start));
        if (isOurs) void request.continue();
        else if (options.elsewhere === undefined) void request.abort();
        else void request.respond(options.elsewhere);
      });
      await page.goto(url, { waitUntil: options.isLive ? 'load' : 'networkidle0' });
      return opened;
    },
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Complains in the page when a change of one of its parts takes the focus away. Runs in the page. */
const tellLostFocus = `
  let had = null;
  document.addEventListener('htmx:before:swap', () => {
    had = document.activeElement === document.body ? null : document.activeElement;
  }, true);
  document.addEventListener('htmx:after:swap', () => {
    setTimeout(() => {
      if (had !== null && document.activeElement === document.body)
        console.error('focus was lost by a swap: ' + had.outerHTML.slice(0, 200));
      had = null;
    }, 0);
  }, true);`;

async function launchChromium(profile: string): Promise<Browser> {
  return await puppeteer.launch({
    executablePath: process.env.PUPPETEER_EXECUTABLE_PATH ?? '/usr/bin/chromium',
    userDataDir: profile,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

async function launchFirefox(profile: string): Promise<Browser> {
  const executablePath = findFirefox();
  if (executablePath === null) throw new Error('Firefox is not on the PATH');
  return await puppeteer.launch({ browser: 'firefox', executablePath, userDataDir: profile });
}

/**
 * Violations of the given axe-core rules, or of all. Evaluated from outside, so that the page's policy stays
 * active.
 */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = JSON.stringify(rules === undefined ? {} : { runOnly: rules });
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}
