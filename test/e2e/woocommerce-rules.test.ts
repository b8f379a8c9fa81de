import test from 'ava';
import { replacePoints } from '../../src/db/queries/carriers/pickup-points.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { decide } from '../support/runs.js';
import { actOn, forgetTowns, orderStatus, setRules, strikeUntil } from '../support/shop-orders.js';
import { connectShop, makeOrders, parcelsOf, stateOf } from '../support/shop-person.js';
import { type ShopStack, startShopStack } from '../support/shop-stack.js';
import { findShop } from '../support/wordpress.js';

const sources = await findShop();
const inShop = typeof sources === 'string' ? test.serial.skip : test.serial;
const KIOSK = { id: '1003', name: 'קיוסק הפינה', city: 'תל אביב', street: 'אלנבי', number: '3' };
const WORDS = 'קיוסק הפינה, אלנבי 3, תל אביב';

let stack: ShopStack['stack'];
let api: ShopStack['api'];
let worker: ShopStack['worker'];
let shop: ShopStack['shop'];
let person: ShopStack['person'];
const cleanUps = new CleanUps();

test.before(async () => {
  if (typeof sources === 'string') return;
  ({ stack, api, worker, shop, person } = await startShopStack(cleanUps, sources));
  await connectShop(person, { url: api.url, ...stack.account });
});

test.after.always(() => cleanUps.end());

async function ledgerOf(provider: string) {
  return (await stack.sandboxes.get(provider)?.ledger()) ?? [];
}

function keyOf(provider: string): string {
  return stack.account.licenseKeys[provider] ?? '';
}

/** Opens the order's page and returns what its box says. */
async function boxOf(id: number): Promise<string> {
  await person.go(`/wp-admin/post.php?post=${id}&action=edit`);
  return await stateOf(person.page);
}

async function buttons(): Promise<string[]> {
  return await person.page.$$eval('.parcelworks-box button', (all) =>
    all.map((one) => (one.getAttribute('value') ?? '').replace(/:.*/, '')),
  );
}

inShop('an order is booked once by its status, with the license of its shipping method', async (t) => {
  t.timeout(180_000);
  const [courier = 0, express = 0, fetched = 0, other = 0] = [
    ...(await makeOrders(shop, 1)),
    ...(await makeOrders(shop, 1, 'flat_rate:3')),
    ...(await makeOrders(shop, 1, 'local_pickup:2')),
    ...(await makeOrders(shop, 1, 'flat_rate:4')),
  ];
  const service = Number(await shop.php(`echo wc_create_order(['status' => 'on-hold'])->get_id();`));
  const orders = [courier, express, fetched, other, service];
  await setRules(shop, {
    license: keyOf('run'),
    statuses: ['processing'],
    methods: { 'flat_rate:3': keyOf('lionwheel'), 'flat_rate:4': 'none' },
  });
  const before = [(await ledgerOf('run')).length, (await ledgerOf('lionwheel')).length];

  const becomes = async (status: string) =>
    shop.php(`foreach ([${orders}] as $id) { wc_get_order($id)->update_status('${status}'); }`);
  await becomes('on-hold');
  const early = await parcelsOf(shop, orders);
  await becomes('processing');
  await strikeUntil(shop, [courier, express], 'booked');
  await becomes('on-hold');
  await becomes('processing');
  await shop.strike();

  t.deepEqual(early, []);
  t.deepEqual(
    (await parcelsOf(shop, orders)).map(({ order_id, n, state }) => [order_id, n, state]),
    [
      [courier, 1, 'booked'],
      [express, 1, 'booked'],
    ],
  );
  t.deepEqual(
    [(await ledgerOf('run')).length, (await ledgerOf('lionwheel')).length],
    before.map((many) => many + 1),
  );
  t.is(await orderStatus(shop, courier), 'processing');
  await setRules(shop, { license: keyOf('run') });
});

inShop(
  'an unknown parcel says what not to do, and "Ask again" finds it and makes no second one',
  async (t) => {
    t.timeout(180_000);
    const [id = 0] = await makeOrders(shop, 1);
    await setRules(shop, { license: keyOf('cargo') });
    await stack.sandboxes.get('cargo')?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
    const before = (await ledgerOf('cargo')).length;

    const first = await boxOf(id);
    await actOn(person, 'ship-delivery');
    await strikeUntil(shop, [id], 'unknown');
    const said = await boxOf(id);
    const offered = await buttons();
    await actOn(person, 'retry', 3);
    const [asked] = await parcelsOf(shop, [id]);
    const booked = (await ledgerOf('cargo')).slice(before);
    const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [
      asked?.uuid ?? '',
    ]);
    await decide(stack.temporal, String(row?.workflow_id), {
      action: 'adopt',
      trackingCode: booked[0]?.code ?? '',
    });
    await boxOf(id);
    await actOn(person, 'retry', 3);

    t.true(first.includes('דיזנגוף 99, דירה 4, תל אביב'), first);
    t.true(said.includes('Unknown') && said.includes('Do not book it elsewhere before.'), said);
    t.deepEqual(offered, ['retry']);
    t.is(asked?.state, 'unknown');
    const [parcel] = await parcelsOf(shop, [id]);
    t.like(parcel, { n: 1, state: 'booked', tracking_code: booked[0]?.code, message: null });
    t.is((await ledgerOf('cargo')).length, before + 1);
    t.is(await orderStatus(shop, id), 'processing');
    await setRules(shop, { license: keyOf('run') });
  },
);

inShop('a sent parcel is unknown, not refused, when the shop may no longer ask for it', async (t) => {
  t.timeout(180_000);
  const [id = 0] = await makeOrders(shop, 1);
  const before = (await ledgerOf('run')).length;
  const secret = async (value: string) =>
    shop.php(`$kept = get_option('parcelworks_connection'); $kept['client_secret'] = '${value}';
      update_option('parcelworks_connection', $kept);`);
  await worker.kill9();
  await boxOf(id);
  await actOn(person, 'ship-delivery');
  await secret('expired');

  await boxOf(id);
  await actOn(person, 'retry');
  await worker.start();
  const [parcel] = await parcelsOf(shop, [id]);
  const said = await boxOf(id);
  await secret(stack.account.clientSecret);
  await eventually(async () => {
    await boxOf(id);
    await actOn(person, 'retry');
    return (await parcelsOf(shop, [id]))[0]?.state === 'booked';
  }, 'the parcel to be found');

  t.is(parcel?.state, 'unknown');
  t.true(said.includes('cannot make a second one'), said);
  t.is((await ledgerOf('run')).length, before + 1);
  t.is((await parcelsOf(shop, [id])).length, 1);
});

inShop('a delivered parcel is fetched back or exchanged, each once for any number of clicks', async (t) => {
  t.timeout(240_000);
  await setRules(shop, { license: keyOf('run'), completes: true });
  const [id = 0] = await makeOrders(shop, 1);
  const before = (await ledgerOf('run')).length;
  await boxOf(id);
  await actOn(person, 'ship-delivery');
  await boxOf(id);
  const early = await buttons();
  const [parcel] = await parcelsOf(shop, [id]);
  await stack.sandbox.advance(parcel?.tracking_code ?? '', 'delivered');
  await api.client.get(`/shipments/${parcel?.uuid}/status?refresh=true`);
  await strikeUntil(shop, [id], 'delivered');

  await boxOf(id);
  const offered = await buttons();
  await actOn(person, 'ship-return', 3);
  await boxOf(id);
  const during = await buttons();
  await actOn(person, 'cancel');
  await boxOf(id);
  await actOn(person, 'ship-exchange', 3);

  t.deepEqual(early, ['cancel']);
  t.deepEqual(offered, ['ship-return', 'ship-exchange']);
  t.deepEqual(during, ['cancel']);
  t.deepEqual(
    (await parcelsOf(shop, [id])).map(({ n, kind, state, status }) => [n, kind, state, status]),
    [
      [1, 'delivery', 'booked', 'delivered'],
      [2, 'return', 'booked', 'cancelled'],
      [3, 'exchange', 'booked', 'created'],
    ],
  );
  t.is((await ledgerOf('run')).length, before + 3);
  t.is(await orderStatus(shop, id), 'completed');
});

/** Draws the list as the classic check-out does without script, and sends it with the order. */
function checkOut(of: { rate: string; sent: string | null }): string {
  const [method, instance] = of.rate.split(':');
  // WooCommerce keeps its own customer and session when PHP ends, so that they have to be back by then.
  return `add_filter('woocommerce_is_checkout', '__return_true');
    [$customer, $session] = [WC()->customer ?? null, WC()->session ?? null];
    WC()->customer = new class { function get_shipping_city() { return 'תל אביב'; } };
    WC()->session = new class { function get($name, $else = null) { return $name === 'chosen_shipping_methods' ? ['flat_rate:1'] : $else; } };
    ob_start();
    do_action('woocommerce_after_shipping_rate', new class { function get_id() { return 'flat_rate:1'; } }, 0);
    $list = ob_get_clean();
    preg_match('/<option value="([^"]+)"/', $list, $found);
    $_POST['parcelworks_point'] = ${of.sent === null ? "wp_slash(html_entity_decode($found[1] ?? ''))" : `'${of.sent}'`};
    $order = wc_create_order(['status' => 'pending']);
    $address = ['first_name' => 'דנה', 'last_name' => 'לוי', 'address_1' => 'דיזנגוף 99', 'city' => 'תל אביב', 'country' => 'IL', 'phone' => '0501234567'];
    $order->set_address($address + ['email' => 'dana@example.test'], 'billing');
    $order->set_address($address, 'shipping');
    $item = new WC_Order_Item_Shipping();
    $item->set_method_id('${method}'); $item->set_instance_id(${instance}); $item->set_method_title('Point');
    $order->add_item($item);
    do_action('woocommerce_checkout_create_order', $order, []);
    $order->save();
    $order->update_status('processing');
    echo json_encode(['id' => $order->get_id(), 'list' => $list, 'point' => $order->get_meta('_parcelworks_point')]);
    [WC()->customer, WC()->session] = [$customer, $session];`;
}

inShop(
  'a pickup point is kept with id and words from a check-out without script, and only where it is one',
  async (t) => {
    t.timeout(180_000);
    await replacePoints(stack.db, {
      licenseId: Number(stack.account.licenseIds.run),
      points: [{ ...KIOSK, streetCode: '', remarks: '', latitude: 32.07, longitude: 34.77 }],
    });
    await setRules(shop, { license: keyOf('run'), statuses: ['processing'], points: ['flat_rate:1'] });
    const before = (await ledgerOf('run')).length;

    const atPoint = JSON.parse(await shop.php(checkOut({ rate: 'flat_rate:1', sent: null })));
    const atHome = JSON.parse(await shop.php(checkOut({ rate: 'flat_rate:3', sent: null })));
    await strikeUntil(shop, [atPoint.id, atHome.id], 'booked');

    t.deepEqual(atPoint.point, { id: KIOSK.id, words: WORDS }, atPoint.list);
    t.is(atHome.point, '');
    const [first, second] = (await ledgerOf('run'))
      .slice(before)
      .map(({ request }) => JSON.stringify(request));
    t.true([first, second].some((sent) => sent?.includes(KIOSK.id)));
    t.is((await ledgerOf('run')).length, before + 2);
  },
);

inShop('a purchase goes on while the service is away, and its point is chosen afterwards', async (t) => {
  t.timeout(180_000);
  await forgetTowns(shop);
  await setRules(shop, { license: keyOf('run'), statuses: ['processing'], points: ['flat_rate:1'] });
  const before = (await ledgerOf('run')).length;
  await api.process.kill9();

  const begun = Date.now();
  const bought = JSON.parse(await shop.php(checkOut({ rate: 'flat_rate:1', sent: '' })));
  const tookMs = Date.now() - begun;
  const status = await orderStatus(shop, bought.id);
  await api.process.start();
  await strikeUntil(shop, [bought.id], 'refused');
  const said = await boxOf(bought.id);
  const [point, key] = [
    `${KIOSK.id}|${WORDS}`,
    await shop.php(`echo wc_get_order(${bought.id})->get_order_key();`),
  ];
  const choose = async (of: string) =>
    await fetch(`${shop.url}/wp-admin/admin-post.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        action: 'parcelworks_point',
        order: String(bought.id),
        key: of,
        parcelworks_point: point,
      }),
    });
  const stranger = await choose('another');
  const buyer = await choose(key);
  await strikeUntil(shop, [bought.id], 'booked');

  t.true(bought.list.includes('after the order'), bought.list);
  t.true(tookMs < 15_000, `${tookMs} ms`);
  t.is(status, 'processing');
  t.true(said.includes('chosen no pickup point'), said);
  t.deepEqual([stranger.status, buyer.status], [403, 302]);
  t.is((await ledgerOf('run')).length, before + 1);
});

inShop('GET /points: 429 when a visitor asks for many towns, and other visitors have theirs', async (t) => {
  t.timeout(120_000);
  await setRules(shop, { license: keyOf('run'), points: ['flat_rate:1'] });
  await forgetTowns(shop);
  const ask = async (city: string, headers = {}) =>
    fetch(`${shop.url}/?rest_route=/parcelworks/v1/points&rate=flat_rate:1&city=${city}`, { headers });

  const statuses: number[] = [];
  for (let i = 0; i < 22; i++) statuses.push((await ask(`town-${i}`)).status);
  const disguised = await ask('town-22', { 'x-forwarded-for': '203.0.113.9' });
  const known = await ask('town-3');
  const other = await shop.php(`$_SERVER['REMOTE_ADDR'] = '203.0.113.9';
    $points = new ParcelworksWoo\\PickupPoints(new ParcelworksWoo\\Settings(), new ParcelworksWoo\\Connection(), new ParcelworksWoo\\VisitorLimit());
    echo count($points->near('flat_rate:1', 'תל אביב'));`);

  t.deepEqual(statuses, [...Array<number>(20).fill(200), 429, 429]);
  t.is(disguised.status, 429);
  t.is(disguised.headers.get('retry-after'), '600');
  t.is(known.status, 200);
  t.is(other, '1');
  await forgetTowns(shop);
});

inShop('a parcel that the shop cannot keep is not sent, and no log names its recipient', async (t) => {
  t.timeout(120_000);
  await setRules(shop, { license: keyOf('run') });
  const [id = 0] = await makeOrders(shop, 1);
  const before = (await ledgerOf('run')).length;
  const table = async (change: string) =>
    shop.php(`global $wpdb; $wpdb->query("ALTER TABLE {$wpdb->prefix}parcelworks_parcels ${change}");`);
  await table('ADD CONSTRAINT no_body CHECK (body IS NULL)');

  await boxOf(id);
  await actOn(person, 'ship-delivery');
  const said = await boxOf(id);
  const [parcel] = await parcelsOf(shop, [id]);
  const meanwhile = (await ledgerOf('run')).length;
  await table('DROP CONSTRAINT no_body');
  await strikeUntil(shop, [id], 'booked');

  t.is(parcel?.state, 'waiting');
  t.true(said.includes('nothing was sent'), said);
  t.is(meanwhile, before);
  t.is((await ledgerOf('run')).length, before + 1);
  const log = shop.log();
  t.regex(log, /refused a change of parcel \d+/);
  t.notRegex(log, /דנה|\\u05d3\\u05e0\\u05d4|0501234567|dana@example/);
});

inShop(
  'a run of the queue asks for no other one while somebody else is at the parcel that is due',
  async (t) => {
    const [id = 0] = await makeOrders(shop, 1);

    const asked = await shop.php(`global $wpdb; $table = "{$wpdb->prefix}parcelworks_parcels";
    (new ParcelworksWoo\\ParcelStore())->add(${id}, 1, 'delivery', '${keyOf('run')}', 1);
    $wpdb->query("UPDATE $table SET claimed_until = UNIX_TIMESTAMP() + 60 WHERE order_id = ${id}");
    wp_clear_scheduled_hook('parcelworks_run', ['now']);
    $has = did_action('action_scheduler_init') > 0;
    if ($has) { as_unschedule_all_actions('parcelworks_run', ['now'], 'parcelworks-now'); }
    do_action('parcelworks_run');
    echo json_encode($has ? as_next_scheduled_action('parcelworks_run', ['now'], 'parcelworks-now') : wp_next_scheduled('parcelworks_run', ['now']));
    $wpdb->query("UPDATE $table SET claimed_until = 0 WHERE order_id = ${id}");`);
    await strikeUntil(shop, [id], 'booked');

    t.is(asked, 'false');
  },
);

inShop(
  'a shop that moved keeps its key and what waited; a copy books nothing, and gets another',
  async (t) => {
    t.timeout(240_000);
    await setRules(shop, { license: keyOf('run'), statuses: ['processing'] });
    const elsewhere = async () =>
      shop.php(`$kept = get_option('parcelworks_connection'); $kept['home'] = 'https://first.example';
      update_option('parcelworks_connection', $kept);`);
    const site = async () => shop.php(`echo (new ParcelworksWoo\\Connection())->site();`);
    const [id = 0] = await makeOrders(shop, 1);
    const before = (await ledgerOf('run')).length;
    const first = await site();
    await elsewhere();

    await shop.php(
      `$o = wc_get_order(${id}); $o->update_status('on-hold'); $o->update_status('processing');`,
    );
    await shop.strike();
    const [waiting] = await parcelsOf(shop, [id]);
    const meanwhile = (await ledgerOf('run')).length;
    await person.go('/wp-admin/admin.php?page=parcelworks');
    await person.follow('form:has([value="parcelworks_moved"]) [type="submit"]');
    await strikeUntil(shop, [id], 'booked');
    const moved = await site();
    await elsewhere();
    await person.go('/wp-admin/admin.php?page=parcelworks');
    await person.follow('form:has([value="parcelworks_copy"]) [type="submit"]');
    const left = await parcelsOf(shop, [id]);
    await connectShop(person, { url: api.url, ...stack.account });

    t.is(waiting?.state, 'waiting');
    t.is(meanwhile, before);
    t.is(moved, first);
    t.deepEqual(left, []);
    t.not(await site(), first);
    t.is((await ledgerOf('run')).length, before + 1);
  },
);
