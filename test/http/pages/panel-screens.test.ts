import test from 'ava';
import type { Page } from 'puppeteer';
import { failExport, insertExport } from '../../../src/db/queries/exports/exports.js';
import { insertNotification } from '../../../src/db/queries/mails/notification-logs.js';
import type { Role } from '../../../src/domain/panel-roles.js';
import type { Language } from '../../../src/domain/recipient-words/language.js';
import { isWithoutEffect } from '../../../src/http/pages/panel/once.js';
import { uuidV7 } from '../../../src/lib/ids.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../../support/page-browser.js';
import { sentFields } from '../../support/panel-fill.js';
import { addressOf, type PanelWorld, pagesOf, panelWorld, sendablesOn } from '../../support/panel-walk.js';
import { patient } from '../../support/patience.js';

let http: HttpStack;
let browser: PageBrowser;
test.before(async () => {
  http = await startHttp({ config: { baseUrl: 'http://127.0.0.1', webhookAllowCidrs: ['127.0.0.0/8'] } });
  browser = await startPageBrowser();
});
test.after.always(async () => {
  await browser?.close();
  await http?.close();
});

/** Each screen that somebody may open, as a person of that role meets it. */
const VISITS: readonly { role: Role; language: Language; width: number }[] = [
  { role: 'administrator', language: 'en', width: 1280 },
  { role: 'administrator', language: 'ar', width: 360 },
  { role: 'owner', language: 'he', width: 360 },
  { role: 'staff', language: 'he', width: 1280 },
];

for (const { role, language, width } of VISITS) {
  const title = `${role}, ${language}, ${width} px`;
  test.serial(`GET /panel: every screen can be used by everybody and on a phone: ${title}`, async (t) => {
    t.timeout(patient(300_000));
    const world = await panelWorld(http, role);
    await fillLists(world);
    await http.db.run('UPDATE panel_users SET language = ?', [language]);
    const opened = await browser.open(`${http.url}/panel/sign-in`, { width, language });
    const { page } = opened;
    const [name = '', value = ''] = world.cookie.split('; ')[0]?.split('=') ?? [];
    await page.setCookie({ name, value, url: http.url });
    const paths = pagesOf(role);

    const faults: string[] = [];
    for (const path of paths) {
      const address = addressOf(world, path);
      const response = await page.goto(`${http.url}${address}`, { waitUntil: 'load' });
      if (response?.status() !== 200) faults.push(`${path}: ${response?.status()}`);
      faults.push(...(await faultsOf(page, path)));
      for (const [button, question] of await questionsOn(world, path)) {
        // Its script has run in the page that is there.
        await page.setContent(question.replaceAll(/<script\b[^>]*><\/script>/g, ''));
        faults.push(...(await faultsOf(page, `${path} → ${button}`)));
      }
    }

    t.true(paths.length > 10);
    t.deepEqual(faults, []);
    t.deepEqual(opened.complaints, []);
    await page.close();
  });
}

/** A delivery of the longest name, a mail and exports, so that each list has a state to show. */
async function fillLists({ params }: PanelWorld): Promise<void> {
  const accountId = Number(params.account);
  const licenseId = Number(params.license);
  await http.db.run(
    "UPDATE webhook_deliveries SET event = 'shipment.status_changed', status = 'succeeded' WHERE account_id = ?",
    [accountId],
  );
  const shipments = await http.db.select('SELECT id FROM shipments WHERE uuid = ?', [params.uuid ?? '']);
  await insertNotification(http.db, {
    accountId,
    licenseId,
    shipmentId: Number(shipments[0]?.id),
    event: 'shipment.status_changed',
    eventId: uuidV7(),
    data: {},
  });
  const failed = await insertExport(http.db, { accountId, licenseId, format: 'csv', filter: {} });
  await failExport(http.db, { accountId, exportId: failed, error: 'for a test' });
  await insertExport(http.db, { accountId, licenseId, format: 'xlsx', filter: {} });
}

/** Faults that keep somebody from using the page, with all that is folded opened. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
  const faults = await violationsOf(page);
  if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')))
    faults.push('the page scrolls sideways');
  const hidden = await page.evaluate(`[...document.querySelectorAll('tbody tr:first-child .status')]
    .map((one) => one.getBoundingClientRect())
    .filter(({ left, right }) => left < 0 || right > innerWidth).length`);
  if (hidden !== 0) faults.push(`${hidden} states off the screen`);
  const headings = (await page.$$('h1')).length;
  if (headings !== 1) faults.push(`${headings} first headings`);
  return faults.map((fault) => `${name}: ${fault}`);
}

/** The pages that ask before something is done, by the button that leads there. */
async function questionsOn(world: PanelWorld, path: string): Promise<[string, string][]> {
  const address = addressOf(world, path);
  const { text } = await world.ask(address);
  const found: [string, string][] = [];
  for (const one of sendablesOn(path, text, address)) {
    const fields = sentFields(one, world.params.uuid);
    const button = one.form.buttons[one.button];
    if (!isWithoutEffect(one.path, new URLSearchParams(fields))) continue;
    const answer = await world.ask(button?.action ?? one.form.action, fields);
    if (answer.status === 200) found.push([button?.text ?? '', answer.text]);
  }
  return found;
}
