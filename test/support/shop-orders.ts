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
