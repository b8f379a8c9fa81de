import type { ExecutionContext } from 'ava';
import type { Page } from 'puppeteer';
import { type OpenedPage, violationsOf } from './page-browser.js';

/** Keeps a picture of the page where a folder for them is given. */
export async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.PANEL_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Photographs the page, and checks what holds for each. */
export async function look(t: ExecutionContext, { page }: OpenedPage, name: string): Promise<void> {
  await photograph(page, name);
  t.deepEqual(await violationsOf(page), [], name);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name);
  const bytes = Buffer.byteLength(await page.content());
  t.true(bytes < 100_000, `${name}: ${bytes}`);
}

/** Complaints of the browser, but for the refused forms. */
export function complaintsOf({ complaints }: OpenedPage): string[] {
  return complaints.filter((text) => !/status of 422/.test(text));
}

/** The link of the navigation to a list. */
export const nav = (path: string) => `.bar nav a[href$="/${path}"]`;

/** The text inside an element. */
export const textOf = (page: Page, selector = 'main') =>
  page.$eval(selector, (element) => element.textContent ?? '');

/** Replaces what a field holds by typing. */
export async function retype(page: Page, selector: string, text: string): Promise<void> {
  await page.focus(selector);
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.press('Backspace');
  await page.type(selector, text);
}

/** Loads the page again until it has the element. */
export async function reloadedUntil(page: Page, selector: string): Promise<void> {
  while ((await page.$(selector)) === null) await page.reload({ waitUntil: 'networkidle0' });
}
