import type { Page } from 'puppeteer';
import type { OpenedPage, PageBrowser } from './page-browser.js';
import type { Shop } from './wordpress.js';

/** Someone who runs the shop, signed in to its admin pages. */
export interface ShopPerson {
  opened: OpenedPage;
  page: Page;
  go(path: string): Promise<void>;
  /** Clicks what leads to another page. */
  follow(selector: string, clicks?: number): Promise<void>;
}

export async function signInToShop(browser: PageBrowser, shop: Shop, width = 1280): Promise<ShopPerson> {
  const opened = await browser.open(`${shop.url}/wp-login.php`, { width });
  const { page } = opened;
  const follow = async (selector: string, clicks = 1) => {
    await Promise.all([
      page.waitForNavigation({ waitUntil: 'load' }),
      page.click(selector, { count: clicks }),
    ]);
  };
  await page.type('#user_login', shop.admin.user);
  await page.type('#user_pass', shop.admin.password);
  await follow('#wp-submit');
  return {
    opened,
    page,
    follow,
    go: async (path) => {
      await page.goto(`${shop.url}${path}`, { waitUntil: 'load' });
    },
  };
}

/** Connects by the three values that the panel shows. */
export async function connectShop(
  person: ShopPerson,
  service: { url: string; clientId: string; clientSecret: string },
): Promise<void> {
  await person.go('/wp-admin/admin.php?page=parcelworks');
  await person.page.click('.wrap details summary');
  await person.page.type('.wrap [name="url"]', service.url);
  await person.page.type('[name="client_id"]', service.clientId);
  await person.page.type('[name="client_secret"]', service.clientSecret);
  await person.follow('form[action*="admin-post"] #submit');
}

/** Connects by the connection code that the panel shows. */
export async function connectByCode(person: ShopPerson, code: string): Promise<void> {
  await person.go('/wp-admin/admin.php?page=parcelworks');
  await person.page.type('#parcelworks-code', code);
  await person.follow('form[action*="admin-post"] #submit');
}

/** Makes orders in the shop, in their order. Names are those of customers, which no log may have. */
export async function makeOrders(shop: Shop, count: number, method = 'flat_rate:1'): Promise<number[]> {
  const printed = await shop.php(`
    for ($i = 0; $i < ${count}; $i++) {
      $order = wc_create_order(['status' => 'processing']);
      $address = ['first_name' => 'דנה', 'last_name' => "לוי-כהן $i", 'company' => '', 'address_1' => 'דיזנגוף 99',
        'address_2' => 'דירה 4', 'city' => 'תל אביב', 'state' => '', 'postcode' => '', 'country' => 'IL', 'phone' => '0501234567'];
      $order->set_address($address + ['email' => 'dana@example.test'], 'billing');
      $order->set_address($address, 'shipping');
      [$method, $instance] = explode(':', '${method}');
      $item = new WC_Order_Item_Shipping();
      $item->set_method_id($method); $item->set_instance_id((int) $instance); $item->set_method_title('Courier');
      $order->add_item($item);
      $order->save();
      echo $order->get_id(), ' ';
    }`);
  return printed.split(' ').filter(Boolean).map(Number);
}

/** A row of the shop's table of parcels. */
export interface ShopParcel {
  order_id: number;
  n: number;
  kind: string;
  state: string;
  status: string | null;
  uuid: string | null;
  tracking_code: string | null;
  message: string | null;
}

export async function parcelsOf(shop: Shop, orderIds: readonly number[]): Promise<ShopParcel[]> {
  const text = await shop.php(`global $wpdb; echo json_encode($wpdb->get_results(
    "SELECT order_id, n, kind, state, status, uuid, tracking_code, message FROM {$wpdb->prefix}parcelworks_parcels
     WHERE order_id IN (${orderIds.join(',') || '0'}) ORDER BY order_id, n"));`);
  return (JSON.parse(text) as ShopParcel[]).map((row) => ({
    ...row,
    order_id: Number(row.order_id),
    n: Number(row.n),
  }));
}

/** The text of the box on an open order's page. */
export async function stateOf(page: Page): Promise<string> {
  return await page.$eval('#parcelworks', (box) => box.textContent ?? '');
}
