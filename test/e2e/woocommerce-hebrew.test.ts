import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { photograph } from '../support/panel-pages.js';
import { actOn, setRules } from '../support/shop-orders.js';
import { connectShop, makeOrders, parcelsOf, signInToShop, stateOf } from '../support/shop-person.js';
import { type ShopStack, startShopStack } from '../support/shop-stack.js';
import { findShop } from '../support/wordpress.js';

const sources = await findShop();
if (typeof sources === 'string') console.log(`the shop's tests are skipped: ${sources}`);
const inShop = typeof sources === 'string' ? test.serial.skip : test.serial;

let started: ShopStack;
const cleanUps = new CleanUps();

test.before(async () => {
  if (typeof sources === 'string') return;
  started = await startShopStack(cleanUps, sources);
  const { api, person, shop, stack } = started;
  await connectShop(person, { url: api.url, ...stack.account });
  await setRules(shop, { license: stack.account.licenseKeys.run ?? '' });
  // WordPress' own texts, where Debian's package has them: they say that Hebrew goes from right to left.
  // Without them WordPress takes no other language; a shop's own has them.
  await shop.php(`@symlink('/usr/share/wordpress/wp-content/languages', WP_CONTENT_DIR . '/languages');
    add_filter('sanitize_option_WPLANG', static fn () => 'he_IL');
    update_option('WPLANG', 'he_IL');`);
});
test.after.always(() => cleanUps.end());

inShop(
  'a merchant with a phone reads in Hebrew which parcel is booked, and why one is refused',
  async (t) => {
    t.timeout(180_000);
    const { browser, shop } = started;
    const [booked = 0, refused = 0] = await makeOrders(shop, 2);
    await shop.php(`$order = wc_get_order(${refused});
    foreach (['billing', 'shipping'] as $kind) $order->set_address(['phone' => 'call me'] + $order->get_address($kind), $kind);
    $order->save();`);
    const person = await signInToShop(browser, shop, 390);
    const see = async (id: number, name: string) => {
      await person.go(`/wp-admin/post.php?post=${id}&action=edit`);
      await actOn(person, 'ship-delivery', 2);
      await person.page.reload();
      await photograph(person.page, name);
      const isInside = await person.page.$eval('#parcelworks', (box) => box.scrollWidth <= box.clientWidth);
      return { said: await stateOf(person.page), isInside };
    };

    const good = await see(booked, 'shop-hebrew-booked');
    const bad = await see(refused, 'shop-hebrew-refused');

    const parcels = await parcelsOf(shop, [booked, refused]);
    t.deepEqual(
      parcels.map(({ state }) => state),
      ['booked', 'refused'],
    );
    t.true(good.said.includes(parcels[0]?.tracking_code ?? 'no code'), good.said);
    t.true(bad.said.includes('שירות המשלוחים אינו מקבל את הפרטים האלה של ההזמנה:'), bad.said);
    t.regex(bad.said, /טלפון: The .* must hold a number/);
    t.deepEqual([good.isInside, bad.isInside], [true, true]);
  },
);
