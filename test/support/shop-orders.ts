import { eventually } from './conditions.js';
import { parcelsOf, type ShopPerson } from './shop-person.js';
import type { Shop } from './wordpress.js';

/** Sets the shop's rules, as its page of rules keeps them; what is not named is off. */
export async function setRules(shop: Shop, rules: Record<string, unknown>): Promise<void> {
  await shop.php(`(new ParcelworksWoo\\Settings())->save(json_decode('${JSON.stringify(rules)}', true));`);
}

export async function orderStatus(shop: Shop, id: number): Promise<string> {
  return await shop.php(`echo wc_get_order(${id})->get_status();`);
}

/** Sends the form of the open order's page with one of its buttons, some times at once, as clicks without script do. */
export async function actOn({ page }: ShopPerson, act: string, times = 1): Promise<void> {
  await page.evaluate(`(async () => {
    const form = document.getElementById('parcelworks-act');
    const button = document.querySelector('#parcelworks button[value^="${act}"]');
    const send = () => fetch(form.getAttribute('action'), { method: 'POST', body: new FormData(form, button) });
    await Promise.all(Array.from({ length: ${times} }, send));
  })()`);
}

/** Ticks orders in a list of the shop's, by its path, and carries out a bulk action for them. */
export async function actInBulk(
  person: ShopPerson,
  { list, orders, action }: { list: string; orders: readonly number[]; action: string },
): Promise<void> {
  await person.go(list);
  for (const id of orders)
    await person.page.$eval(`#cb-select-${id}`, (box) => (box as unknown as { click(): void }).click());
  await person.page.select('#bulk-action-selector-top', action);
  await person.follow('#doaction');
}

/** Has the shop's clock strike, with each parcel due, until the newest parcel of each order is in the state or status. */
export async function strikeUntil(shop: Shop, orders: readonly number[], state: string): Promise<void> {
  await eventually(
    async () => {
      await shop.php(`global $wpdb; $wpdb->query("UPDATE {$wpdb->prefix}parcelworks_parcels SET next_at = 1
        WHERE next_at > 0 AND order_id IN (${orders.join(',')})");`);
      await shop.strike();
      const parcels = await parcelsOf(shop, orders);
      return orders.every((id) => {
        const newest = parcels.findLast(({ order_id }) => order_id === id);
        return newest?.state === state || newest?.status === state;
      });
    },
    `each parcel of ${orders.join(', ')} to be ${state}`,
    40_000,
  );
}

/**
 * Makes the shop's check-out the block one, with a product, a way to ship and cash on delivery. Resolves with the rate,
 * and where the page and a filled cart are.
 */
export async function makeBlockCheckOut(shop: Shop): Promise<{ rate: string; path: string; add: string }> {
  const block = (name: string, inner = '') =>
    `<!-- wp:woocommerce/${name} --><div class="wp-block-woocommerce-${name}">${inner}</div><!-- /wp:woocommerce/${name} -->`;
  const fields = [
    'contact-information',
    'shipping-address',
    'billing-address',
    'shipping-methods',
    'payment',
    'actions',
  ]
    .map((name) => block(`checkout-${name}-block`))
    .join('');
  const page = block(
    'checkout',
    block('checkout-fields-block', fields) +
      block('checkout-totals-block', block('checkout-order-summary-block')),
  );
  const text = await shop.php(`
    update_option('woocommerce_default_country', 'IL'); update_option('woocommerce_currency', 'ILS');
    update_option('woocommerce_cod_settings', ['enabled' => 'yes', 'title' => 'Cash']);
    WC_Install::create_pages();
    wp_update_post(['ID' => wc_get_page_id('checkout'), 'post_content' => wp_slash('${page}')]);
    $rate = (new WC_Shipping_Zone(0))->add_shipping_method('flat_rate');
    $product = new WC_Product_Simple(); $product->set_name('Shirt'); $product->set_regular_price('120'); $product->save();
    echo json_encode(['rate' => "flat_rate:$rate", 'path' => '/?page_id=' . wc_get_page_id('checkout'),
      'add' => '/?add-to-cart=' . $product->get_id()]);`);
  return JSON.parse(text);
}

/** Has the shop ask again for each town, and each visitor have asked for none. */
export async function forgetTowns(shop: Shop): Promise<void> {
  await shop.php(`global $wpdb; $wpdb->query("DELETE FROM {$wpdb->options}
    WHERE option_name LIKE '%parcelworks_points%' OR option_name LIKE '%parcelworks_visits%'");`);
}
