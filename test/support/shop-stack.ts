import type { Owner } from './clean-ups.js';
import { type PageBrowser, startPageBrowser } from './page-browser.js';
import { type ApiProcess, startApiProcess, startWorkerProcess, type TestProcess } from './processes.js';
import { type ShopPerson, signInToShop } from './shop-person.js';
import { startStack, type TestStack } from './stack.js';
import { type Shop, startShop } from './wordpress.js';

/** A shop in WordPress, a person at its panel, and the service that it may be connected to. */
export interface ShopStack {
  stack: TestStack;
  api: ApiProcess;
  worker: TestProcess;
  browser: PageBrowser;
  shop: Shop;
  person: ShopPerson;
}

/** Starts all of it; it ends with its owner. `env`: of the service. */
export async function startShopStack(
  owner: Owner,
  sources: Parameters<typeof startShop>[1],
  { env = {}, hasOrderTables = false }: { env?: Record<string, string>; hasOrderTables?: boolean } = {},
): Promise<ShopStack> {
  // A license that allows many parcels an order: nothing but the key holds a second one back.
  const stack = await startStack({ multipleShipment: true, env });
  owner.teardown(() => stack.close());
  const [api, worker, browser, shop] = await Promise.all([
    startApiProcess(owner, stack),
    startWorkerProcess(owner, stack),
    startPageBrowser(),
    startShop(owner, sources, { hasOrderTables }),
  ]);
  owner.teardown(() => browser.close());
  return { stack, api, worker, browser, shop, person: await signInToShop(browser, shop) };
}
