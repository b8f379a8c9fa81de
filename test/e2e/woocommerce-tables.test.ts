import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { actInBulk, actOn, setRules, strikeUntil } from '../support/shop-orders.js';
import { connectShop, makeOrders, parcelsOf, stateOf } from '../support/shop-person.js';
import { type ShopStack, startShopStack } from '../support/shop-stack.js';
import { findShop } from '../support/wordpress.js';

const sources = await findShop();
const REASON = typeof sources === 'string' ? sources : 'the stand-in for WooCommerce has no order tables';
const isThere = typeof sources !== 'string' && sources.woocommerce !== null;
if (!isThere) console.log(`the tests of shops with order tables are skipped: ${REASON}`);
const inShop = isThere ? test.serial : test.serial.skip;

let stack: ShopStack['stack'];
let shop: ShopStack['shop'];
let person: ShopStack['person'];
const cleanUps = new CleanUps();

test.before(async () => {
  if (typeof sources === 'string' || !isThere) return;
  const started = await startShopStack(cleanUps, sources, { hasOrderTables: true });
  ({ stack, shop, person } = started);
  await connectShop(person, { url: started.api.url, ...stack.account });
  await setRules(shop, { license: stack.account.licenseKeys.run ?? '' });
});

test.after.always(() => cleanUps.end());

async function open(id: number): Promise<string> {
  await person.go(`/wp-admin/admin.php?page=wc-orders&action=edit&id=${id}`);
  return await stateOf(person.page);
}

inShop(
  'an order in the tables is one parcel for any number of clicks, and again after a cancel',
  async (t) => {
    t.timeout(180_000);
    const [id = 0] = await makeOrders(shop, 1);
    const before = (await stack.sandbox.ledger()).length;

    const isInTables = await shop.php(`global $wpdb; echo json_encode([get_post_type(${id}),
    (int) $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}wc_orders WHERE id = ${id}")]);`);
    await open(id);
    await actOn(person, 'ship-delivery', 4);
    const [parcel] = await parcelsOf(shop, [id]);
    const said = await open(id);
    await person.follow('#parcelworks button[value^="cancel"]');
    const address = person.page.url();
    await actOn(person, 'ship-delivery', 3);

    t.is(isInTables, '["shop_order_placehold",1]');
    t.true(said.includes(parcel?.tracking_code ?? 'no code'), said);
    t.true(address.includes('page=wc-orders'), address);
    t.deepEqual(
      (await parcelsOf(shop, [id])).map(({ n, state, status }) => [n, state, status]),
      [
        [1, 'booked', 'cancelled'],
        [2, 'booked', 'created'],
      ],
    );
    t.is((await stack.sandbox.ledger()).length, before + 2);
  },
);

inShop(
  'orders in the tables are shipped and printed in bulk, and their list shows each parcel',
  async (t) => {
    t.timeout(180_000);
    const orders = await makeOrders(shop, 3);
    const before = (await stack.sandbox.ledger()).length;

    await inBulk(orders, 'parcelworks_ship');
    const said = await person.page.$$eval('.notice', (all) => all.map((one) => one.textContent).join(' '));
    await inBulk(orders, 'parcelworks_ship');
    await strikeUntil(shop, orders, 'booked');
    await person.go('/wp-admin/admin.php?page=wc-orders');
    const listed = await person.page.$$eval('td.column-parcelworks', (all) =>
      all.map((one) => one.textContent ?? '').join(' '),
    );
    await inBulk(orders, 'parcelworks_labels');
    const labels = person.page.url();

    t.true(said.includes('3'), said);
    const parcels = await parcelsOf(shop, orders);
    t.deepEqual(
      parcels.map(({ order_id, n }) => [order_id, n]),
      orders.map((id) => [id, 1]),
    );
    for (const { tracking_code } of parcels) t.true(listed.includes(tracking_code ?? 'no code'), listed);
    t.true(labels.includes('page=parcelworks-labels'), labels);
    t.is((await stack.sandbox.ledger()).length, before + orders.length);
  },
);

async function inBulk(orders: readonly number[], action: string): Promise<void> {
  await actInBulk(person, { list: '/wp-admin/admin.php?page=wc-orders', orders, action });
}

inShop(
  'an order that is deleted from the tables takes its parcel along, and the plugin its points',
  async (t) => {
    t.timeout(120_000);
    const [id = 0, other = 0] = await makeOrders(shop, 2);
    for (const one of [id, other]) {
      await open(one);
      await actOn(person, 'ship-delivery');
    }

    await shop.php(`$point = new ParcelworksWoo\\PickupPoint('1003', 'Kiosk');
    $order = wc_get_order(${other}); $point->keep($order); $order->save(); wc_get_order(${id})->delete(true);`);
    const left = await parcelsOf(shop, [id, other]);
    const kept = await shop.php(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; global $wpdb;
    $count = fn () => (int) $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->prefix}wc_orders_meta WHERE meta_key LIKE '%parcelworks%'");
    $before = $count();
    deactivate_plugins('parcelworks/parcelworks.php'); uninstall_plugin('parcelworks/parcelworks.php');
    echo json_encode([$before, $count()]);`);

    t.deepEqual(
      left.map(({ order_id }) => order_id),
      [other],
    );
    t.is(kept, '[1,0]');
  },
);
