import { Slots } from '../../src/lib/limits/slots.js';
import { step } from '../launcher/progress.js';
import { type DemoApi, openDemoApi } from './api.js';
import { Backdating } from './backdate.js';
import { type DayParcel, type DayPlan, dayParcels } from './day.js';
import type { DemoFilling } from './fill.js';
import { controlSandbox } from './sandbox.js';

/** How many parcels of which licenses the last days had, a shop a line. */
const DAYS: Readonly<Record<string, Omit<DayPlan, 'license'>>> = {
  'demo-lionwheel': { language: 'en', parcels: 24, from: 20_411 },
  'demo-run': { language: 'en', parcels: 24, from: 21_733 },
  'demo-second': { language: 'he', parcels: 62, from: 40_218 },
  'demo-third': { language: 'he', parcels: 56, from: 7_301 },
  'demo-third-run': { language: 'he', parcels: 32, from: 8_122 },
};
/** Codes of Run's refusals: city, street, pickup point and address. */
const REFUSALS = { 'demo-run': [100, 200], 'demo-third-run': [200, 1800] } as const;
const LOST_ANSWERS = 2;
const AT_ONCE = 4;

/** Fills the shops' last days in the background; parcels that are there stay as they are. */
export async function fillDays(filling: DemoFilling): Promise<void> {
  const backdating = new Backdating(filling.databaseUrl);
  try {
    await step("the shops' last days", async () => {
      for (const shop of filling.shops) await fillShop(filling, backdating, shop);
    });
  } finally {
    await backdating.close();
  }
}

async function fillShop(
  filling: DemoFilling,
  backdating: Backdating,
  shop: DemoFilling['shops'][number],
): Promise<void> {
  const api = openDemoApi(filling.baseUrl, shop.credentials, filling.stopping);
  const now = Date.now();
  const planned = shop.licenses.flatMap((license) => {
    const plan = DAYS[license.key];
    return plan === undefined ? [] : dayParcels({ ...plan, license }, now);
  });
  const [first] = planned;
  if (first === undefined || (await isThere(api, first))) return;
  await moveInVain(api, filling, shop);
  const slots = new Slots({ total: AT_ONCE });
  await Promise.all(planned.map((parcel) => slots.use(() => make(api, filling, backdating, parcel))));
  await runBatch(api, shop);
  for (const license of new Set(planned.map((parcel) => parcel.license.key))) await api.export(license);
}

async function isThere(api: DemoApi, { license, orderId }: DayParcel): Promise<boolean> {
  return (await api.list(`license_key=${license.key}&filter[order_id]=${orderId}`)).length > 0;
}

async function make(
  api: DemoApi,
  { sandboxes, stopping }: DemoFilling,
  backdating: Backdating,
  { license, orderId, ship, order, bookedAtMs, steps, isCancelled }: DayParcel,
): Promise<void> {
  stopping.throwIfAborted();
  const body = { license_key: license.key, ship_data: ship, order: { id: orderId, ...order } };
  const shipment = await api.book(orderId, body);
  if (shipment === null) return;
  const { uuid, code } = shipment;
  await backdating.toMoment(uuid, bookedAtMs);
  const sandbox = sandboxes[license.provider];
  for (const { status, atMs } of steps) {
    const at = new Date(atMs).toISOString();
    if (sandbox === undefined) await api.setStatus(uuid, status, at);
    else {
      const bookedAt = new Date(bookedAtMs).toISOString();
      await controlSandbox(sandbox, 'advance', { code, status, at, booked_at: bookedAt });
    }
  }
  if (license.provider === 'run' && steps.length > 0) await api.refresh(uuid);
  // Its webhooks name no time.
  if (license.provider === 'lionwheel') await backdating.toSteps(uuid, steps);
  if (isCancelled) await api.cancel(uuid, 'The customer changed the order.');
}

/** Parcels that the carrier refuses, and some whose answer is lost, so that a person must decide. */
async function moveInVain(
  api: DemoApi,
  { sandboxes }: DemoFilling,
  { licenses }: DemoFilling['shops'][number],
): Promise<void> {
  const bookings = (key: string, from: number, parcels: number) => {
    const license = licenses.find((one) => one.key === key);
    const plan = { language: key === 'demo-third-run' ? 'he' : 'en', parcels, from } as const;
    return license === undefined ? [] : dayParcels({ ...plan, license }, Date.now());
  };
  const fails = async (parcels: readonly DayParcel[], fault: object) => {
    const sandbox = sandboxes[parcels[0]?.license.provider ?? ''];
    if (sandbox === undefined) return;
    await controlSandbox(sandbox, 'faults', { operation: 'book', times: parcels.length, ...fault });
    try {
      await Promise.all(
        parcels.map(({ license, orderId, ship, order }) =>
          api.book(orderId, { license_key: license.key, ship_data: ship, order: { id: orderId, ...order } }),
        ),
      );
    } finally {
      await controlSandbox(sandbox, 'faults', { operation: 'book', kind: 'none' });
    }
  };
  for (const [key, codes] of Object.entries(REFUSALS)) {
    const parcels = bookings(key, 9_000, codes.length);
    for (const [index, value] of codes.entries())
      await fails(parcels.slice(index, index + 1), { kind: 'error_in_200', value });
  }
  await fails(bookings('demo-getpackage', 9_100, LOST_ANSWERS), { kind: 'drop_after' });
}

/** Of ten orders of a batch, half lack what a carrier needs. */
async function runBatch(api: DemoApi, { licenses }: DemoFilling['shops'][number]): Promise<void> {
  const license = licenses.find(({ key }) => key === 'demo-third');
  if (license === undefined) return;
  const parcels = dayParcels({ license, language: 'he', parcels: 10, from: 9_500 }, Date.now());
  const items = parcels.map(({ ship, orderId, order }, index) => ({
    ship_data: index % 2 === 0 ? ship : { ...ship, [index % 4 === 1 ? 'city' : 'contact_phone']: '' },
    order: { id: orderId, ...order },
  }));
  await api.batch('demo-batch', license.key, items);
}
