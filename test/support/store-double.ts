import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './local-server.js';

/** A received call and its response. */
interface StoreCallSeen {
  action: string;
  body: Record<string, unknown>;
  status: number;
}

/** A WooCommerce store with API v1's plugin, on loopback. */
export interface StoreDouble {
  /** URL of its WordPress, in a subfolder. */
  url: string;
  keys: { consumerKey: string; consumerSecret: string };
  /** Order id → its shipments as the plugin stores them. */
  orders: Map<number, { shipped: Record<string, unknown>[]; cancelled: string[] }>;
  calls: StoreCallSeen[];
  /** How its WordPress makes addresses; with plain ones each path answers 200 and the home page. */
  permalinks: 'pretty' | 'plain' | 'not found';
  /** Answers the next calls with this status, like a failing host. */
  fail(status: number, times: number): void;
  close(): Promise<void>;
}

/** Starts a store with these orders. */
export async function startStore(...orderIds: number[]): Promise<StoreDouble> {
  const keys = { consumerKey: `ck_${'a'.repeat(40)}`, consumerSecret: `cs_${'b'.repeat(40)}` };
  const authorization = `Basic ${Buffer.from(`${keys.consumerKey}:${keys.consumerSecret}`).toString('base64')}`;
  const orders: StoreDouble['orders'] = new Map(orderIds.map((id) => [id, { shipped: [], cancelled: [] }]));
  const calls: StoreCallSeen[] = [];
  let failing: number[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
    const address = /^\/shop\/(?:wp-json|\?rest_route=)\/wc\/v3\/(\w+)$/;
    const [, action = ''] = address.exec(request.url ?? '') ?? [];
    if (store.permalinks !== 'pretty' && !request.url?.includes('rest_route')) {
      const status = store.permalinks === 'plain' ? 200 : 404;
      response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html>\n<title>Shop</title>');
      return;
    }
    const down = failing.shift();
    const [status, said] =
      down !== undefined
        ? [down, 'down']
        : request.headers.authorization === authorization
          ? [200, JSON.stringify(perform(action, body))]
          : [401, '{"code":"woocommerce_rest_cannot_view"}'];
    calls.push({ action, body, status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(said);
  }

  /** Like the plugin: always 200. */
  function perform(action: string, body: Record<string, unknown>): { status: string; message: string } {
    if (action === 'shipos_license_update') return { status: 'success', message: 'License updated' };
    const order = orders.get(Number(body.order_id));
    if (order === undefined) return { status: 'error', message: 'Order not found' };
    if (action === 'order_shipment_created_meta') order.shipped.push(body);
    else if (action === 'order_shipment_cancelled_meta') order.cancelled.push(String(body.shipping_code));
    else return { status: 'error', message: 'Unknown' };
    return { status: 'success', message: 'Meta updated' };
  }

  const { url, close } = await listen(server);
  const store: StoreDouble = {
    permalinks: 'pretty',
    url: `${url}/shop`,
    keys,
    orders,
    calls,
    fail(status, times) {
      failing = Array.from({ length: times }, () => status);
    },
    close,
  };
  return store;
}
