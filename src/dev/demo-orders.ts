import { SetupError } from './progress.js';
import type { DevSecrets } from './state.js';

/** A licence that a client of the demo can name. */
export interface DemoLicense {
  readonly key: string;
  readonly provider: string;
  /** How many of the demo's orders it gets. */
  readonly orders: number;
}

interface DemoOrder {
  readonly ship: Readonly<Record<string, unknown>>;
  readonly order: Readonly<Record<string, unknown>>;
}

const SHIRT = {
  name: 'T-shirt, organic cotton',
  quantity: 2,
  total: '158.00',
  sku: 'TS-204-M',
  variation: 'Blue / M',
};
const MUG = { name: 'ספל קרמיקה בעבודת יד', quantity: 1, total: '79.90', sku: 'MUG-17', variation: 'טורקיז' };
const VOUCHER = { name: 'Gift card 50 ILS', quantity: 1, total: '50.00', sku: 'GIFT-50', virtual: true };

/** What labels, mails and the tracking page have to cope with: three scripts, cash, several packages, long names. */
const ORDERS: readonly DemoOrder[] = [
  {
    ship: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      contact_mail: 'dana.levi@example.com',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
      note: 'Please ring twice.',
    },
    order: { total: '208.00', items: [SHIRT, VOUCHER] },
  },
  {
    ship: {
      contact_name: 'נועה כהן-אברהמי',
      contact_phone: '0547654321',
      contact_mail: 'noa@example.com',
      street: 'שדרות בן גוריון',
      number: '14',
      entrance: 'ב',
      floor: '3',
      apartment: '7',
      city: 'חיפה',
      packages: 3,
      is_cod: true,
      cod_amount: '349.90',
      note: 'להשאיר אצל השכנה אם אין מענה',
    },
    order: { total: '349.90', items: [MUG, SHIRT] },
  },
  {
    ship: {
      contact_name: 'Maximilian Alexander von Hohenstein-Weissenburg',
      contact_phone: '0521112233',
      company: 'Levant Import, Export and General Trading Company Ltd.',
      street: 'Rothschild Boulevard',
      number: '121A',
      floor: '12',
      apartment: '48',
      city: 'Rishon LeZion',
      return: 2,
    },
    order: { total: '158.00', items: [SHIRT] },
  },
  {
    ship: {
      contact_name: 'أحمد خطيب',
      contact_phone: '0539876543',
      contact_mail: 'ahmad@example.com',
      street: 'شارع بولس السادس',
      number: '8',
      city: 'الناصرة',
    },
    order: { total: '79.90', items: [MUG] },
  },
];

function demoShipment(license: DemoLicense, orderId: string, { ship, order }: DemoOrder): object {
  return {
    license_key: license.key,
    ship_data: { type: 1, return: 1, ...ship },
    order: { id: orderId, number: orderId, currency: 'ILS', source: 'demo', ...order },
  };
}

/** The demo's license for tries by hand. */
export const TRY_LICENSE = 'demo-run';

/** A small shipment for a first try by hand. */
export function tryShipment(orderId: string): object {
  return {
    license_key: TRY_LICENSE,
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
      type: 1,
      return: 1,
    },
    order: { id: orderId, total: '120.00', currency: 'ILS' },
  };
}

/** Sends one of {@link ORDERS} and gives the answer; what is known is only replayed. */
async function sendOrder(
  baseUrl: string,
  credentials: DevSecrets['first'],
  orderId: string,
  body: object,
): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v2/shipments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-client-id': credentials.clientId,
      'x-client-secret': credentials.clientSecret,
      'idempotency-key': `demo-order-${orderId}`,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(40_000),
  });
  const answer = await response.text();
  // 409: created by an earlier version, or in an earlier month so that the key has expired.
  if (response.ok || response.status === 409) return answer;
  throw new SetupError(`the demo order ${orderId} was answered ${response.status}: ${answer}`);
}

/**
 * Sends a few orders through the API, all at once, so that its lists are not empty. Gives the short tracking code of
 * the first; null when it was not answered with one.
 */
export async function createDemoOrders(
  baseUrl: string,
  credentials: DevSecrets['first'],
  licenses: readonly DemoLicense[],
): Promise<string | null> {
  const answers = await Promise.all(
    licenses.flatMap((license) =>
      ORDERS.slice(0, license.orders).map((order, index) => {
        const orderId = `${license.key}-${index + 1}`;
        return sendOrder(baseUrl, credentials, orderId, demoShipment(license, orderId, order));
      }),
    ),
  );
  const codes = answers.map((answer) => /"short_tracking_code":"(\w+)"/.exec(answer)?.[1]);
  return codes.find((code) => code !== undefined) ?? null;
}
