import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'puppeteer';
import type { Config } from '../../src/config/config.js';
import type { Database } from '../../src/db/database.js';
import type { Role } from '../../src/domain/panel-roles.js';
import { openSession } from '../../src/services/panel/sessions.js';
import { createPanelUser } from '../../src/services/panel/users.js';

import { TEST_ACTOR } from './actor.js';
import type { HttpStack } from './http.js';

interface PanelStack {
  db: Database;
  config: Config;
}

/** A new user of the panel with its invitation. */
export async function invite(stack: PanelStack, role: Role, account?: number) {
  const email = `${randomUUID()}@panel.example`;
  const config = { appKeys: stack.config.appKeys, baseUrl: '' };
  const invited = await createPanelUser(
    { db: stack.db, config, actor: TEST_ACTOR },
    { email, name: 'Noa', role, account },
  );
  return { ...invited.user, path: invited.invitation };
}

/** The cookie of a signed-in user of a role. */
export async function cookieOf(stack: PanelStack, role: Role, account?: number): Promise<string> {
  const { id } = await invite(stack, role, account);
  return cookieWith(await openSession(stack, id, { address: '127.0.0.1', browser: 'test' }));
}

/** A token as the session's cookie, over http and https. */
export function cookieWith(token: string): string {
  return `parcelworks=${token}; __Host-parcelworks=${token}`;
}

/** The six digits that an authenticator app shows now, or some steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** An answer of the panel. `to`: where it redirects; `cookie`: what it has the browser keep. */
export interface PanelAnswer {
  status: number;
  text: string;
  to: string | null;
  cookie: string;
}

/**
 * Asks the panel as a browser does from its own page, and follows no redirect. A form makes it a POST, with a key of
 * its own where it has none.
 */
export async function askPanel(
  url: string,
  {
    form,
    headers = {},
  }: { form?: Record<string, string> | [string, string][]; headers?: Record<string, string> } = {},
): Promise<PanelAnswer> {
  const body = new URLSearchParams(form);
  if (!body.has('key')) body.set('key', randomUUID());
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    ...(form === undefined ? {} : { method: 'POST', body }),
  });
  return {
    status: response.status,
    text: await response.text(),
    to: response.headers.get('location'),
    cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

/** The password of users who accept an invitation. */
export const PASSWORD = 'a long enough password';

/** The secret for an authenticator app that a page shows. */
export function secretOn({ text }: PanelAnswer): string {
  return /name="secret" value="([A-Z2-7]+)"/.exec(text)?.[1] ?? '';
}

/** The recovery codes that a page shows. */
export function recoveryCodesOn({ text }: PanelAnswer): string[] {
  return [...text.matchAll(/class="code">([a-z2-9]{5}-[a-z2-9]{5})</g)].map(([, code]) => code ?? '');
}

/** A user who has accepted an invitation. */
export async function signUp(stack: PanelStack & { url: string }, role: Role, account?: number) {
  const user = await invite(stack, role, account);
  const secret = secretOn(await askPanel(`${stack.url}${user.path}`));
  const code = codeOf(secret);
  const form = { secret, password: PASSWORD, code };
  const accepted = await askPanel(`${stack.url}${user.path}`, { form });
  return { ...user, secret, code, codes: recoveryCodesOn(accepted), accepted };
}

/** Asks for a page of the panel as a new user of a role that belongs to no account. */
export async function askAs(
  stack: PanelStack & { url: string },
  role: Role,
  path: string,
): Promise<PanelAnswer> {
  return await askPanel(`${stack.url}/panel${path}`, { headers: { cookie: await cookieOf(stack, role) } });
}

/** Accepts the invitation that is open, as a person does, and returns the authenticator's secret. */
export async function acceptByClicks(page: Page): Promise<string> {
  const secret = await page.$eval('[name=secret]', (input) => (input as { value: string }).value);
  await page.type('[name=password]', PASSWORD);
  await page.type('[name=code]', codeOf(secret));
  await follow(page, 'main button');
  return secret;
}

/** Clicks what leads to another page, and waits for it. */
export async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation({ waitUntil: 'networkidle0' }), page.click(selector)]);
}

/** A user of a new account with one license, who opens and sends the account's pages. `more`: other cookies. */
export async function newMerchant(http: HttpStack) {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const base = `${http.url}/panel/a/${id}`;
  const ask = (path: string, form?: [string, string][], more = '') =>
    askPanel(`${base}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie: `${cookie}; ${more}` },
    });
  return { id, license, cookie, base, ask };
}
