import type { ElementHandle, Page } from 'puppeteer';

/** A person waits for a page, on a busy machine too. */
const PATIENCE_MS = 60_000;

/** A person at a page, by whom each click, choice, chosen file and Enter is counted; typing is free. */
export class Person {
  /** Acts by task, in their order. */
  readonly acts = new Map<string, number>();
  #task = '';

  constructor(readonly page: Page) {
    page.setDefaultTimeout(PATIENCE_MS);
  }

  /** The next steps belong to this task. */
  begins(task: string): void {
    this.#task = task;
    this.acts.set(task, this.acts.get(task) ?? 0);
  }

  async click(target: string | ElementHandle): Promise<void> {
    this.#count();
    await (typeof target === 'string' ? this.page.click(target) : target.click());
  }

  /** Clicks what leads to another page, which may go on asking by itself. */
  async follow(selector: string): Promise<void> {
    await this.#leaving(() => this.click(selector));
  }

  async enter(): Promise<void> {
    this.#count();
    await this.#leaving(() => this.page.keyboard.press('Enter'));
  }

  async choose(selector: string, value: string): Promise<void> {
    this.#count();
    await this.page.select(selector, value);
  }

  async file(selector: string, path: string): Promise<void> {
    this.#count();
    const input = await this.page.$(selector);
    if (input === null) throw new Error(`no ${selector}`);
    await input.uploadFile.call(input as never, path);
  }

  /** Replaces what a field holds. */
  async type(target: string | ElementHandle, text: string): Promise<void> {
    const field = typeof target === 'string' ? await this.page.$(target) : target;
    if (field === null) throw new Error(`no ${String(target)}`);
    await field.evaluate((one) => (one as unknown as { select(): void }).select());
    await field.type(text);
  }

  /** Clicks what opens a document of labels in another tab, and returns the document. */
  async print(selector: string): Promise<Uint8Array> {
    const browser = this.page.browser();
    const known = new Set((await browser.pages()).map((page) => page.url()));
    const opening = browser.waitForTarget(
      (tab) => /\/shipping\/label\/|\/storage\/document\//.test(tab.url()) && !known.has(tab.url()),
      { timeout: PATIENCE_MS },
    );
    await this.click(selector);
    const tab = await opening;
    const answer = await fetch(tab.url());
    if (!answer.ok) throw new Error(`${tab.url()}: ${answer.status}`);
    await (await tab.page())?.close();
    await this.page.bringToFront();
    return new Uint8Array(await answer.arrayBuffer());
  }

  #count(): void {
    this.acts.set(this.#task, (this.acts.get(this.#task) ?? 0) + 1);
  }

  async #leaving(act: () => Promise<void>): Promise<void> {
    await Promise.all([this.page.waitForNavigation({ waitUntil: 'load' }), act()]);
    await this.page.waitForSelector('main h1');
  }
}
