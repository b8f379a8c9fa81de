import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { acceptByClicks, follow, invite } from '../support/panel.js';
import { nav } from '../support/panel-pages.js';
import { actInBulk } from '../support/shop-orders.js';
import {
  connectByCode,
  connectShop,
  makeOrders,
  parcelsOf,
  signInToShop,
  stateOf,
} from '../support/shop-person.js';
import { type ShopStack, startShopStack } from '../support/shop-stack.js';
import { findShop, startShop } from '../support/wordpress.js';

const ORDERS = 20;
const sources = await findShop();
console.log(shopNews());
const inShop = typeof sources === 'string' ? test.serial.skip : test.serial;

function shopNews(): string {
  if (typeof sources === 'string') return `the shop's tests are skipped: ${sources}`;
  return `the shop runs ${sources.woocommerce === null ? 'a stand-in for WooCommerce' : 'WooCommerce'}`;
}

let stack: ShopStack['stack'];
let api: ShopStack['api'];
let worker: ShopStack['worker'];
let shop: ShopStack['shop'];
let person: ShopStack['person'];
let browser: ShopStack['browser'];
const cleanUps = new CleanUps();

test.before(async () => {
  if (typeof sources === 'string') return;
  ({ stack, api, worker, browser, shop, person } = await startShopStack(cleanUps, sources, {
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
  }));
});

test.after.always(() => cleanUps.end());

inShop(
  'a shop is connected by pasting the code of the panel, and its orders are booked with the chosen license',
  async (t) => {
    const { account } = stack;
    const { path } = await invite(stack, 'owner', account.id);
    const owner = await browser.open(`${api.url}${path}`, { language: 'en', width: 1280 });
    await acceptByClicks(owner.page);
    await follow(owner.page, 'main a.button');
    await follow(owner.page, nav('credentials'));
    await owner.page.type('main form.sheet [name="name"]', 'Shop');
    await follow(owner.page, 'main form.sheet button');
    const shown = await owner.page.$$eval('.secret .code', (all) => all.map((one) => one.textContent ?? ''));
    await owner.page.close();

    await connectByCode(person, shown[2] ?? '');

    const said = await person.page.$eval('.wrap', (one) => one.textContent ?? '');
    t.true(said.includes('Test merchant'), said);
    await person.page.select('select[name="license"]', account.licenseKeys.run ?? '');
    await person.page.click('input[name="completes"]');
    await person.follow('form.parcelworks-rules #submit');
    const hooks = await api.client.get(`/webhooks?license_key=${account.licenseKeys.run}`);
    t.like(JSON.parse(hooks.text).data[0], { url: `${shop.url}/?rest_route=/parcelworks/v1/webhook` });
  },
);

inShop('an order that is double-clicked in two tabs at once is one parcel, and shows it', async (t) => {
  t.timeout(300_000);
  const orders = await makeOrders(shop, ORDERS);
  const before = (await stack.sandbox.ledger()).length;

  for (const id of orders) await ship(id, 4);

  const parcels = await parcelsOf(shop, orders);
  t.deepEqual(
    parcels.map(({ order_id, n, state }) => [order_id, n, state]),
    orders.map((id) => [id, 1, 'booked']),
  );
  t.is((await stack.sandbox.ledger()).length, before + ORDERS);
  await person.go(`/wp-admin/post.php?post=${orders[0]}&action=edit`);
  t.true((await stateOf(person.page)).includes(parcels[0]?.tracking_code ?? 'no code'));
});

/** Sends the order's form some times at once, as clicks without script do, in tabs beside each other. */
async function ship(id: number, times: number): Promise<void> {
  await person.go(`/wp-admin/post.php?post=${id}&action=edit`);
  await person.page.evaluate(`(async () => {
    const form = document.getElementById('parcelworks-act');
    const button = document.querySelector('#parcelworks button[value^="ship-delivery"]');
    const send = () => fetch(form.getAttribute('action'), { method: 'POST', body: new FormData(form, button) });
    await Promise.all(Array.from({ length: ${times} }, send));
  })()`);
}

inShop('a parcel whose worker is killed is asked for by the queue, and booked once', async (t) => {
  t.timeout(240_000);
  const [id = 0] = await makeOrders(shop, 1);
  const before = (await stack.sandbox.ledger()).length;
  await worker.kill9();

  await ship(id, 2);
  const [asked] = await parcelsOf(shop, [id]);
  await person.page.reload();
  const said = await stateOf(person.page);
  await worker.start();
  await settled([id]);

  t.is(asked?.state, 'sent');
  t.true(said.includes('Sent'), said);
  t.is((await stack.sandbox.ledger()).length, before + 1);
});

inShop(
  'orders that are shipped in bulk beside single clicks, while the API is killed, are one parcel each',
  async (t) => {
    t.timeout(300_000);
    const orders = await makeOrders(shop, 10);
    const before = (await stack.sandbox.ledger()).length;
    const list = '/wp-admin/edit.php?post_type=shop_order&orderby=ID&order=desc';

    await actInBulk(person, { list, orders, action: 'parcelworks_ship' });
    const said = await person.page.$$eval('.notice', (all) => all.map((one) => one.textContent).join(' '));
    const queue = shop.strike();
    const clicks = (async () => {
      for (const id of orders.slice(0, 3)) await ship(id, 2);
    })();
    await eventually(async () => (await stack.sandbox.ledger()).length > before, 'a first parcel');
    await api.process.kill9();
    await Promise.all([queue, clicks]);
    await api.process.start();
    await settled(orders);

    t.true(said.includes('10'), said);
    const parcels = await parcelsOf(shop, orders);
    t.deepEqual(
      parcels.map(({ order_id, n }) => [order_id, n]),
      orders.map((id) => [id, 1]),
    );
    t.is((await stack.sandbox.ledger()).length, before + orders.length);
  },
);

inShop('a status comes back by webhook: once, forwards only, and completes the order', async (t) => {
  t.timeout(180_000);
  const [id = 0] = await makeOrders(shop, 1);
  await ship(id, 1);
  const [parcel] = await parcelsOf(shop, [id]);
  await stack.sandbox.advance(parcel?.tracking_code ?? '', 'delivered');
  await api.client.get(`/shipments/${parcel?.uuid}/status?refresh=true`);
  const seen = () =>
    shop.php(`global $wpdb; $order = wc_get_order(${id});
    echo json_encode([$wpdb->get_var("SELECT status FROM {$wpdb->prefix}parcelworks_parcels WHERE order_id = ${id}"),
      $order->get_status(), (int) $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->comments} WHERE comment_post_ID = ${id}")]);`);
  const told = await eventually(
    async () => {
      const text = await seen();
      return text.includes('"delivered","completed"') && text;
    },
    'the webhook',
    90_000,
  );

  // The same news again, the same with another id, and an older one that comes late.
  const answers = await shop.php(`
    $secrets = (new ParcelworksWoo\\Connection())->webhookSecrets();
    wc_get_order(${id})->update_status('on-hold');
    foreach ([['delivered', 0], ['delivered', 0], ['in_transit', 200]] as [$status, $ago]) {
      $sent = ParcelworksWoo\\Client\\Webhook::testEvent($secrets, 'shipment.status_changed',
        ['id' => '${parcel?.uuid}', 'status' => $status], time() - $ago);
      foreach ([$sent['body'], str_replace('status', 'statuz', $sent['body'])] as $body) {
        $answer = wp_remote_post(ParcelworksWoo\\Connection::webhookUrl(), ['body' => $body, 'headers' => $sent['headers']]);
        echo wp_remote_retrieve_response_code($answer), ' ';
      }
    }`);
  const after = JSON.parse(await seen());

  t.is(answers, '200 401 200 401 200 401');
  t.deepEqual(after.slice(0, 2), ['delivered', 'on-hold']);
  t.true(after[2] - JSON.parse(told)[2] <= 1, 'only the note of the change by hand');
});

inShop(
  'an order whose parcel was cancelled is shipped again, once, and prints from a place of the sheet',
  async (t) => {
    t.timeout(180_000);
    const [id = 0] = await makeOrders(shop, 1);
    const before = (await stack.sandbox.ledger()).length;
    await ship(id, 1);
    await person.go(`/wp-admin/post.php?post=${id}&action=edit`);

    await person.follow('#parcelworks button[value^="cancel"]');
    await ship(id, 4);
    await person.go(`/wp-admin/admin.php?page=parcelworks-labels&orders=${id}`);
    await person.page.select('select[name="type"]', 'A4');
    await person.page.select('select[name="position"]', '3');
    const printed = await submitted('form[action*="admin-post"]');
    const label = await fetch(printed.headers.get('location') ?? '');

    const parcels = await parcelsOf(shop, [id]);
    t.deepEqual(
      parcels.map(({ n, state, status }) => [n, state, status]),
      [
        [1, 'booked', 'cancelled'],
        [2, 'booked', 'created'],
      ],
    );
    t.is((await stack.sandbox.ledger()).length, before + 2);
    t.is(
      Buffer.from(await label.arrayBuffer())
        .subarray(0, 4)
        .toString(),
      '%PDF',
    );
  },
);

inShop('nothing of a customer is in a log, and the plugin leaves nothing behind', async (t) => {
  t.timeout(180_000);
  const logs = `${shop.log()}${api.process.log}${worker.log}`;

  const left = await shop.php(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; global $wpdb;
    deactivate_plugins('parcelworks/parcelworks.php'); uninstall_plugin('parcelworks/parcelworks.php');
    echo json_encode([$wpdb->get_col("SHOW TABLES LIKE '%parcelworks%'"),
      $wpdb->get_col("SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%parcelworks%'"),
      $wpdb->get_col("SELECT meta_key FROM {$wpdb->postmeta} WHERE meta_key LIKE '%parcelworks%'"),
      wp_next_scheduled('parcelworks_run')]);`);
  const hooks = await api.client.get(`/webhooks?license_key=${stack.account.licenseKeys.run}`);

  t.false(/דנה|דיזנגוף|0501234567|dana@example/.test(logs));
  t.is(left, '[[],[],[],false]');
  t.deepEqual(JSON.parse(hooks.text).data, []);
});

inShop('the same run finds doubles where the key grows with every try', async (t) => {
  t.timeout(240_000);
  if (typeof sources === 'string') return;
  const growing = (files: Map<string, Buffer>) => {
    const path = 'includes/parcel.php';
    const text = files.get(path)?.toString('utf8') ?? '';
    const changed = text.replace('{$this->n}";', '{$this->n}-" . bin2hex(random_bytes(4));');
    t.not(changed, text);
    files.set(path, Buffer.from(changed));
  };
  shop = await startShop(cleanUps, sources, { change: growing });
  person = await signInToShop(browser, shop);
  await connectShop(person, { url: api.url, ...stack.account });
  await chooseRun();
  const [id = 0] = await makeOrders(shop, 1);
  const before = (await stack.sandbox.ledger()).length;
  await worker.kill9();

  await ship(id, 1);
  await worker.start();
  await settled([id]);

  await eventually(async () => (await stack.sandbox.ledger()).length > before + 1, 'the double');
  t.pass();
});

async function chooseRun(): Promise<void> {
  await person.page.select('select[name="license"]', stack.account.licenseKeys.run ?? '');
  await person.page.click('input[name="completes"]');
  await person.follow('form.parcelworks-rules #submit');
}

/** Sends a form of the open page as the browser would, and follows no redirect. */
async function submitted(selector: string): Promise<Response> {
  const sent = await person.page.$eval(selector, (form) => {
    const { FormData: Fields } = globalThis as unknown as {
      FormData: new (of: unknown) => Iterable<[string, string]>;
    };
    return { to: form.getAttribute('action') ?? '', fields: [...new Fields(form)] };
  });
  const cookies = await person.page.cookies();
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  return await fetch(sent.to, {
    method: 'POST',
    headers,
    body: new URLSearchParams(sent.fields),
    redirect: 'manual',
  });
}

/** Has the shop's clock strike until each of the orders has its parcel. */
async function settled(orders: readonly number[]): Promise<void> {
  await eventually(
    async () => {
      await shop.strike();
      return (await parcelsOf(shop, orders)).every(({ state }) => state === 'booked');
    },
    'every parcel to be booked',
    180_000,
  );
}
