import { randomInt } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { insertAccount } from '../../src/db/queries/accounts/accounts.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startMailServer } from '../support/mail-server.js';
import { type BrowserName, findFirefox, startPageBrowser } from '../support/page-browser.js';
import { acceptByClicks, follow, invite } from '../support/panel.js';
import { look, textOf } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';
import { Person } from '../support/person.js';
import {
  type ApiProcess,
  type OwnEngines,
  startApiProcess,
  startOwnEngines,
  startWorkerProcess,
  type TestProcess,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import {
  book,
  bookedOrders,
  correctRefused,
  type Day,
  exportDay,
  keptOf,
  printBatch,
  printSheets,
  save,
  saved,
  scan,
  sendBack,
  typeCures,
  untilDone,
  upload,
} from './merchants-day.js';

/** Of each of three shops; 300 by hand. */
const ORDERS = Number(process.env.DAY_ORDERS ?? 30);
const DAY_TIMEOUT_MS = 300_000 + ORDERS * 6000;
const REFUSED = 2;
/** The carrier's time for a parcel while the worker is killed and MySQL is away. */
const SLOW_MS = 300;

const owner = new CleanUps();
let engines: OwnEngines;
let stack: TestStack;
let api: ApiProcess;
let worker: TestProcess;

test.before(async () => {
  engines = await startOwnEngines(owner);
  const mail = await startMailServer();
  owner.teardown(() => mail.close());
  stack = await startStack({
    engines,
    env: { SMTP_URL: mail.url, AUTH_FAILURES_PER_MINUTE: '1000', RATE_LIMIT_PER_MINUTE: '1000000' },
  });
  owner.teardown(() => stack.close());
  [api, worker] = await Promise.all([startApiProcess(owner, stack), startWorkerProcess(owner, stack)]);
});
test.after.always(() => owner.end());

/** MySQL is away for so long; in one day as long as an operator needs to see it and start it again. */
const DAYS: readonly { browser: BrowserName; width: number; awayMs: number; isLong?: true }[] = [
  { browser: 'chromium', width: 1280, awayMs: 50_000 },
  { browser: 'firefox', width: 360, awayMs: 5000 },
  { browser: 'chromium', width: 360, awayMs: 5000, isLong: true },
  { browser: 'firefox', width: 1280, awayMs: 5000, isLong: true },
];

for (const { browser, width, awayMs, isLong } of DAYS) {
  if (isLong && process.env.DAY_ORDERS === undefined) continue;
  const title = `a merchant's day of orders from three shops: ${browser}, ${width} px, in Hebrew`;
  const isThere = browser === 'chromium' || findFirefox() !== null;
  if (!isThere) console.log(`skipped, as Firefox is not on the PATH: ${title}`);
  (isThere ? test.serial : test.skip)(title, async (t) => {
    t.timeout(patient(DAY_TIMEOUT_MS));
    const day = await begin(t, { browser, width });
    const { person, opened } = day;

    t.teardown(async () => {
      if (t.passed) return;
      const said = await textOf(opened.page, 'body').catch(String);
      t.log(opened.page.url(), person.acts, said.slice(0, 2000), opened.complaints, worker.log.slice(-500));
    });

    await clean(day);
    await printSheets(day);
    await sendBack(day, await scan(day));
    await throughTroubles(day, awayMs);
    const lines = await exportDay(day);

    t.log(Object.fromEntries(person.acts));
    t.is(lines.length, 1 + 3 * ORDERS + 1, 'a heading, the orders, the return');
    const booked = await bookedOrders(day);
    t.deepEqual([...booked.keys()].toSorted(), day.orderIds.toSorted());
    const twice = [...booked].filter(([, times]) => times !== 1);
    t.deepEqual(
      twice.map(([, times]) => times),
      [2],
      'the parcel that came back',
    );
    const kept = await keptOf(day);
    t.deepEqual(
      day.typed.filter((text) => !kept.includes(text)),
      [],
      'what was typed',
    );
    t.true((person.acts.get('30 orders to 30 labels') ?? 0) <= 6);
    t.deepEqual(unexpected(opened.complaints), []);
  });
}

/** A new merchant with one carrier, whose owner has accepted the invitation. */
async function begin(
  t: ExecutionContext,
  { browser: name, width }: { browser: BrowserName; width: number },
): Promise<Day> {
  const account = randomInt(1, 2 ** 40);
  await insertAccount(stack.db, { id: account, name: 'החנות של דנה', email: 'shop@shop.example' });
  await insertCarrierLicense(stack, { accountId: account, provider: 'run', baseUrl: stack.sandbox.url });
  const { path } = await invite(stack, 'owner', account);
  const browser = await startPageBrowser(name);
  t.teardown(() => browser.close());
  const opened = await browser.open(`${api.url}${path}`, { language: 'he', width, height: 900 });
  const person = new Person(opened.page);
  await acceptByClicks(opened.page);
  await follow(opened.page, 'main a.button');
  const letters = `${name[0]}${width}`;
  return {
    t,
    stack,
    browser,
    opened,
    person,
    account,
    orders: ORDERS,
    name: letters,
    orderIds: [],
    typed: [],
  };
}

/** The first shop's file: mended, booked and printed without any trouble. */
async function clean(day: Day): Promise<void> {
  const { person, opened } = day;
  person.begins('30 orders to 30 labels');
  const faults = await upload(day, 'woocommerce');
  person.begins('12 faults mended');
  await typeCures(day, faults);
  await save(day);
  person.begins('30 orders to 30 labels');
  await book(day);
  await untilDone(opened);
  await look(day.t, opened, `${day.name}-batch`);
  await printBatch(day, ORDERS);
}

/** The second shop's orders lose their worker, and MySQL is away while the third's are mended, of which the carrier refuses some. */
async function throughTroubles(day: Day, awayMs: number): Promise<void> {
  const { t, person, opened, browser } = day;
  const { sandbox } = stack;
  person.begins('a second file');
  const faults = await upload(day, 'shopify');
  await typeCures(day, faults);
  await save(day);
  await sandbox.fault({ operation: 'book', kind: 'latency', value: SLOW_MS });
  const before = (await sandbox.ledger()).length;
  await book(day);
  await eventually(async () => (await sandbox.ledger()).length > before, 'the first parcels of the batch');
  await worker.kill9();
  const second = await browser.open(opened.page.url(), { language: 'he', width: 1280, isLive: true });
  await opened.page.bringToFront();

  person.begins('a third file');
  const others = await upload(day, 'magento');
  await typeCures(day, others);
  await worker.start();
  await engines.mysql.kill9();
  const awayUntil = Date.now() + awayMs;
  await person.follow('.mend > button');
  await look(t, opened, `${day.name}-away`);
  await eventually(() => Date.now() > awayUntil, 'the outage to be over', 2 * awayMs);
  await engines.mysql.start();
  await eventually(async () => (await fetch(`${api.url}/health/ready`)).ok, 'the API to be ready');
  await person.follow('main form button');
  await saved(day);
  await second.page.bringToFront();
  await untilDone(second);
  t.is((await second.page.$$('td .status.failed')).length, 0, await textOf(second.page));
  t.deepEqual(unexpected(second.complaints), []);
  await opened.page.bringToFront();
  await sandbox.fault({ operation: 'book', kind: 'none' });
  await sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 1, times: REFUSED });
  await book(day);
  await untilDone(opened);
  await look(t, opened, `${day.name}-batch-refused`);
  await correctRefused(day, REFUSED);
}

/** Complaints of a browser, but for answers of a service that is away and of refused forms. */
function unexpected(complaints: readonly string[]): string[] {
  return complaints.filter(
    (text) => !/status of (422|503)|ERR_(CONNECTION|INCOMPLETE)|htmx:sse:error|NetworkError/.test(text),
  );
}
