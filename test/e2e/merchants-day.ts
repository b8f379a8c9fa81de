import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { OpenedPage, PageBrowser } from '../support/page-browser.js';
import { look, nav, textOf } from '../support/panel-pages.js';
import { readPdf } from '../support/pdf.js';
import type { Person } from '../support/person.js';
import { type Shop, type ShopFault, shopFile } from '../support/shop-files.js';
import type { TestStack } from '../support/stack.js';

const LABELS_OF_SHEET = 8;
/** A batch of some hundred orders on a busy machine, with MySQL away in between. */
const BATCH_MS = 240_000;

/** A merchant's day at one browser. */
export interface Day {
  t: ExecutionContext;
  stack: TestStack;
  browser: PageBrowser;
  opened: OpenedPage;
  person: Person;
  account: number;
  /** Of each shop. */
  orders: number;
  /** Begins the names of pictures. */
  name: string;
  /** Of all files. */
  orderIds: string[];
  /** Texts that the person has typed into cells of orders. */
  typed: string[];
}

/** Texts that no file holds, by the end of a cell's name. */
const CURES: Readonly<Record<string, (count: number) => string>> = {
  contact_phone: (count) => `0587${String(300_000 + count)}`,
  contact_name: (count) => `תהילה מנור ${count}`,
  contact_mail: (count) => `tehila${count}@mended.example`,
  street: (count) => `שדרות רוטשילד ${count}`,
  city: (count) => `קריית אתא ${count}`,
  note: (count) => `לדפוק חזק ${count}`,
};

/** Has a file of a shop read, to the page that shows its orders; returns its faults. */
export async function upload(day: Day, shop: Shop): Promise<ShopFault[]> {
  const { t, person, opened, name, orders, orderIds } = day;
  const file = await shopFile(shop, { orders, first: 1001 + orderIds.length });
  orderIds.push(...file.orderIds);
  const folder = await mkdtemp(join(tmpdir(), 'orders-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, file.name);
  await writeFile(path, file.content);
  await person.follow(nav('batches'));
  await person.follow('main a.button');
  await look(t, opened, `${name}-${shop}-1-new`);
  await person.file('[name=file]', path);
  await person.follow('main > form button:last-of-type');
  await look(t, opened, `${name}-${shop}-2-checked`);
  t.is((await person.page.$$('.mend [aria-invalid]')).length, file.faults.length, shop);
  return file.faults;
}

/** Types into each cell that has a fault. */
export async function typeCures({ person, typed }: Day, faults: readonly ShopFault[]): Promise<void> {
  const cells = await person.page.$$('.mend [aria-invalid]');
  for (const [index, { cell, right }] of faults.entries()) {
    const cure = CURES[cell.split('.').at(-1) ?? ''];
    const text = cure === undefined ? right : cure(typed.length);
    typed.push(text);
    const place = cells[index];
    if (place === undefined) throw new Error(`no place for ${cell}`);
    await person.type(place, text);
  }
}

/** Saves what was typed into the cells. */
export async function save(day: Day): Promise<void> {
  await day.person.follow('.mend > button');
  await saved(day);
}

/** Looks whether every order is ready. */
export async function saved({ t, opened, person, name }: Day): Promise<void> {
  await look(t, opened, `${name}-3-mended`);
  t.is((await person.page.$$('.mend')).length, 0, await textOf(person.page));
}

/** Books what is ready, to the page of the batch. */
export async function book({ person }: Day): Promise<void> {
  await person.follow('form[action$="/book"] button');
}

/** Waits at the page of a batch until all its orders have an outcome. */
export async function untilDone({ page }: OpenedPage): Promise<void> {
  await page.waitForSelector('#progress p .status.completed', { timeout: BATCH_MS });
}

/** Prints a batch's labels, one on a page. */
export async function printBatch({ t, person }: Day, labels: number): Promise<void> {
  const pdf = await readPdf(await person.print('#progress form[action$="/labels"] button'));
  t.is(pdf.length, labels);
}

/** Prints the newest page of the list on sheets, of which the first has three labels gone. */
export async function printSheets(day: Day): Promise<void> {
  const { t, person, opened, name } = day;
  person.begins('labels on A4 from position 4');
  await person.follow(nav('shipments'));
  await look(t, opened, `${name}-list`);
  await person.click('[data-all]');
  const ticked = (await person.page.$$('[name=uuid]:checked')).length;
  await person.click('.bulk details summary');
  await person.choose('.chosen [name=label_type]', 'A4');
  await person.choose('.chosen [name=position]', '4');
  const pages = await readPdf(await person.print('.bulk button[formtarget=_blank]'));
  t.is(pages.length, Math.ceil((ticked + 3) / LABELS_OF_SHEET), `${ticked} labels`);
  t.true(ticked >= Math.min(100, day.orders));
}

/** Corrects the orders that the carrier has refused, one after the other. */
export async function correctRefused(day: Day, count: number): Promise<void> {
  const { t, person, opened, name, typed } = day;
  person.begins(`${count} refused orders corrected`);
  const batch = person.page.url();
  for (let one = 0; one < count; one += 1) {
    if (one > 0) await person.page.goto(batch, { waitUntil: 'load' });
    const link = `#progress tbody tr:nth-child(${one + 1}) a[href*="item="]`;
    await person.follow(link);
    if (one === 0) await look(t, opened, `${name}-corrected`);
    const street = `דרך יפו ${typed.length}`;
    typed.push(street);
    await person.type('[name=street]', street);
    await person.follow('button[value=show]');
    t.truthy(await person.page.$('.status.created'), await textOf(person.page));
  }
}

/** Scans a parcel's code into the search of the list, as a scanner types it; returns the code. */
export async function scan(day: Day): Promise<string> {
  const { t, person, opened, name, stack, account } = day;
  const [row] = await stack.db.select(
    "SELECT tracking_code FROM shipments WHERE account_id = ? AND state = 'created' LIMIT 1",
    [account],
  );
  const code = String(row?.tracking_code);
  person.begins('a parcel by its code');
  await person.follow(nav('shipments'));
  await person.type('#q', code);
  await person.enter();
  await look(t, opened, `${name}-scanned`);
  t.true((await textOf(person.page)).includes(code));
  return code;
}

/** Sends a parcel back that its recipient has got. */
export async function sendBack(day: Day, code: string): Promise<void> {
  const { t, person, opened, name, stack } = day;
  await stack.sandbox.advance(code, 'delivered');
  person.begins('a delivered parcel sent back');
  await person.follow('form[action$="/refresh"] button');
  await person.follow('a[href*="back="]');
  await look(t, opened, `${name}-back`);
  await person.follow('button[value=show]');
  t.truthy(await person.page.$('.status.created'), await textOf(person.page));
}

/** Exports the day, and returns the file's lines. */
export async function exportDay({ t, person, opened, name }: Day): Promise<string[]> {
  person.begins('export of the day');
  await person.follow(nav('exports'));
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date());
  await person.page.$eval(
    '[name=created_from]',
    (field, value) => {
      (field as unknown as { value: string }).value = value;
    },
    today,
  );
  await person.choose('[name=format]', 'csv');
  await person.follow('main form.sheet > button');
  const link = '#exports tbody tr:nth-child(1) a[download]';
  await person.page.waitForSelector(link);
  await look(t, opened, `${name}-exported`);
  const address = await person.page.$eval(link, (one) => (one as unknown as { href: string }).href);
  person.begins('export of the day');
  const answer = await fetch(address);
  t.is(answer.status, 200);
  return (await answer.text()).trim().split('\r\n');
}

/** The account's parcels and orders in the service, and those of the carrier, as one text. */
export async function keptOf({ stack, account }: Day): Promise<string> {
  const told = (await stack.sandbox.ledger()).map(({ request }) => request);
  const select = async (table: string) =>
    await stack.db.select(`SELECT * FROM ${table} WHERE account_id = ?`, [account]);
  return JSON.stringify([told, await select('shipments'), await select('orders')]);
}

/** The orders of the account that the carrier has booked, by id, and how often each. */
export async function bookedOrders({ stack, account }: Day): Promise<Map<string, number>> {
  const ledger = await stack.sandbox.ledger();
  const rows = await stack.db.select(
    'SELECT s.uuid, o.order_id FROM shipments s JOIN orders o ON o.id = s.order_id WHERE s.account_id = ?',
    [account],
  );
  const ids = new Map(rows.map((row) => [String(row.uuid), String(row.order_id)]));
  const booked = new Map<string, number>();
  for (const { reference } of ledger) {
    const id = ids.get(reference);
    if (id !== undefined) booked.set(id, (booked.get(id) ?? 0) + 1);
  }
  return booked;
}
