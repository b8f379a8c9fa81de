import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import {
  type ApiProcess,
  startApiProcess,
  startWorkerProcess,
  type TestProcess,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { setAppSecret } from '../support/v1.js';

const ORDERS = Number(process.env.E2E_ORDERS ?? 200);
const AT_ONCE = 8;
/** A plugin's own patience for one order, over all tries. */
const PATIENCE_MS = 90_000;
const APP_SECRET = 'secret-of-the-app';
const PHONE = '052-7654321';

interface Answer {
  status: number;
  type: string;
  text: string;
  // The shape is what the test asserts.
  body: any;
}

interface Opened {
  id: string;
  code: string;
  /** How many of the answers were the first one. */
  firsts: number;
}

const owner = new CleanUps();
let stack: TestStack;
let api: ApiProcess;
let worker: TestProcess;

test.before(async () => {
  stack = await startStack({ multipleShipment: false });
  owner.teardown(() => stack.close());
  await setAppSecret({ db: stack.db, config: stack.config }, APP_SECRET);
  [api, worker] = await Promise.all([startApiProcess(owner, stack), startWorkerProcess(owner, stack)]);
});
test.after.always(() => owner.end());

test.serial(`a plugin's day of ${ORDERS} orders is one parcel an order, whatever is killed`, async (t) => {
  t.timeout(600_000);
  const kills = killings();
  const opened: Opened[] = [];
  const waiting = Array.from({ length: ORDERS }, (_, index) => index);
  const lane = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const order = await openOrder(index);
      opened.push(order);
      await afterwards(order, index);
      await kills.after(opened.length);
    }
  };

  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await kills.done();

  t.is(opened.length, ORDERS);
  t.is(new Set(opened.map(({ code }) => code)).size, ORDERS);
  t.true(opened.every(({ firsts }) => firsts <= 1));
  const ledger = await stack.sandbox.ledger();
  t.deepEqual(ledger.map(({ code }) => code).toSorted(), opened.map(({ code }) => code).toSorted());
  t.true(ledger.every(({ requests }) => requests === 1 || requests === 2));
  const cancelled = opened.filter(({ id }) => isCancelled(indexOf(id))).map(({ code }) => code);
  t.deepEqual(
    ledger
      .filter(({ status }) => status === 'cancelled')
      .map(({ code }) => code)
      .toSorted(),
    cancelled.toSorted(),
  );
  t.true(cancelled.length > 0);
  t.deepEqual(await violations(stack, api.client, []), []);
});

test.serial('the recipient app shows a recipient their own parcels of that day', async (t) => {
  const headers = { 'x-app-secret': APP_SECRET };
  const user = await send(
    'POST',
    '/create_app_user',
    { name: 'נועה', phone_number: PHONE, device_name: 'phone' },
    headers,
  );
  const mine = Array.from({ length: ORDERS }, (_, index) => index).filter(hasPhone);

  const list = (query: string) =>
    send('GET', `/shipping/phone_number${query}`, undefined, {
      ...headers,
      authorization: `Bearer ${user.body.data.token}`,
    });
  const all = await list('?per_page=100');
  const one = await list(`?order_id=wc-${mine[0]}`);
  const active = await list('?active_only=1&per_page=100');

  t.is(user.status, 200, user.text);
  t.is(all.status, 200, all.text);
  t.is(all.body.data.total, mine.length);
  t.true(one.body.data.total >= 1);
  t.is(active.body.data.total, mine.filter((index) => !isCancelled(index)).length);
});

/** As PHP writes it: escaped slashes, and everything beyond ASCII as `\uXXXX`. */
function phpJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function send(
  method: string,
  path: string,
  json?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${api.url}/api${path}`, {
    method,
    headers: { accept: 'application/json', ...(json && { 'content-type': 'application/json' }), ...headers },
    signal: AbortSignal.timeout(40_000),
    ...(json && { body: phpJson(json) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text, body: type.includes('json') ? JSON.parse(text) : text };
}

/** A plugin sends again what had no answer, or an answer that says so. */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer !== null && answer.status < 500) return answer;
    if (Date.now() > until) throw new Error(answer?.text ?? 'no answer');
    await wait(100);
  }
}

const credentials = () => ({ license_key: stack.account.licenseKeys.run, domain: 'חנות.example', token: '' });

const hasPhone = (index: number) => index % 25 === 3;
const isCancelled = (index: number) => index % 20 === 7;
const indexOf = (id: string) => Number(id.replace('wc-', ''));

/** The body of a WooCommerce plugin: numbers as texts, empty texts for null, and keys that nobody asked for. */
function orderBody(index: number) {
  const isPoint = index % 10 === 4;
  return {
    ...credentials(),
    plugin_version: '4.1.0',
    ship_data: {
      contact_name: index % 3 === 0 ? '' : 'דנה "דני" לוי / כהן',
      contact_phone: hasPhone(index) ? PHONE : `05${String(10_000_000 + index)}`,
      contact_mail: '',
      street: index % 7 === 0 ? '' : 'הרצל',
      number: String(index + 1),
      city: 'תל אביב-יפו',
      floor: '',
      apartment: '4',
      type: index % 6 === 5 ? '2' : '1',
      return: '1',
      packages: '1',
      pickup: isPoint ? '1001' : '',
      note: 'להשאיר ליד הדלת',
      is_cod: index % 9 === 0 ? '1' : '0',
      cod_amount: index % 9 === 0 ? '99.90' : '',
      urgent: '0',
      motor: '',
      exaction_date: '',
      some_plugin_key: { nested: [] },
    },
    order: {
      id: `wc-${index}`,
      number: '',
      status: 'processing',
      total: '249.90',
      currency: 'ILS',
      billing: {
        first_name: 'משה',
        last_name: 'כהן',
        company: '',
        address_1: 'דיזנגוף 50',
        address_2: '',
        city: 'תל אביב-יפו',
        phone: '03-1234567',
        email: 'moshe@example.test',
        country: 'IL',
      },
      shipping: [],
      meta_data: [{ id: 7, key: '_gift_note', value: index % 11 === 0 ? 'מזל טוב 🎁' : '' }],
      line_items: [{ product_id: 12 }],
    },
    order_items: [{ name: 'ספל / כוס', quantity: '2', total: '249.90', sku: '', product_id: 12 }],
    shipment_settings: { collect_street: '', collect_city: '' },
    code: '',
  };
}

/** Some people click twice. */
async function openOrder(index: number): Promise<Opened> {
  const body = orderBody(index);
  const clicks = index % 5 === 0 ? 2 : 1;
  const open = () => insist(() => send('POST', '/shipping/open_new_order', body));

  const answers = await Promise.all(Array.from({ length: clicks }, open));

  const codes = new Set(answers.map((answer) => String(answer.body.data?.code)));
  if (
    answers.some(({ status, body: { success } }) => status !== 200 || success !== true) ||
    codes.size !== 1
  ) {
    throw new Error(answers.map(({ text }) => text).join('\n'));
  }
  const [code = ''] = codes;
  return {
    id: body.order.id,
    code,
    firsts: answers.filter(({ body: { data } }) => data.idempotent !== true).length,
  };
}

/** Calls that follow an order: labels, cancellations, looks at the status, lists of points. */
async function afterwards({ id, code }: Opened, index: number): Promise<void> {
  const ask = async (path: string, more: object) => {
    const answer = await insist(() => send('POST', path, { ...credentials(), ...more }));
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  if (index % 40 === 1) {
    const label = await ask('/shipping/label', { shipping_id: code });
    const pdf = await fetch(String(label.body.data.url)).catch(() => null);
    if (pdf !== null && !(await pdf.text()).startsWith('%PDF-')) throw new Error('the label is no PDF');
  }
  if (index % 50 === 2) await ask('/shipping/order-label', { order_id: id });
  if (index % 30 === 5) await ask('/shipping/get_shipping_status', { shipping_id: code });
  if (index % 60 === 9) await ask('/shipping/pickup_locations', {});
  if (isCancelled(index)) {
    const cancelled = await ask('/shipping/change_order_status', { shipping_id: code, status: 'cancel' });
    // A cancellation whose answer was lost is done, and says so when it is asked for again.
    if (cancelled.body.success !== true) throw new Error(cancelled.text);
  }
}

/** Kills the API and the worker by turns while orders go on, and starts them again. */
function killings() {
  const points = [0.2, 0.4, 0.6, 0.8].map((share) => Math.floor(ORDERS * share));
  let under: Promise<void> = Promise.resolve();
  return {
    after: async (count: number) => {
      const [next] = points;
      if (next === undefined || count < next) return;
      points.shift();
      const victim = points.length % 2 === 1 ? api.process : worker;
      under = under.then(async () => {
        await victim.kill9();
        await victim.start();
      });
    },
    done: async () => {
      await under;
      await eventually(async () => (await fetch(`${api.url}/health/ready`)).ok, 'the API to be ready');
    },
  };
}
