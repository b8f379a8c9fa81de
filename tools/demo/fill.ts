import { setTimeout as delay } from 'node:timers/promises';
import { carrierFor } from '../../src/carriers/registry.js';
import { textAt } from '../../src/lib/json.js';
import { Rate } from '../../src/lib/limits/rate.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { messageOf, say, step } from '../launcher/progress.js';
import type { DevSecrets } from '../launcher/state.js';
import { type DemoApi, type DemoShipment, openDemoApi } from './api.js';
import type { DemoLicense } from './orders.js';
import { type DemoParcel, demoParcels, TELLING_LICENSES } from './parcels.js';
import { controlSandbox } from './sandbox.js';

/** The system and accounts to fill. */
export interface DemoFilling {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Provider → URL of its sandbox. */
  readonly sandboxes: Readonly<Record<string, string>>;
  readonly shops: readonly {
    readonly credentials: DevSecrets['first'];
    readonly licenses: readonly DemoLicense[];
  }[];
  readonly stopping: AbortSignal;
}

/** A parcel with its shipment. */
interface Booked {
  readonly provider: string;
  readonly parcel: DemoParcel;
  readonly shipment: DemoShipment;
}

const AT_ONCE = 4;
const TRIES = 6;
const AGAIN_MS = 10_000;
/** Oldest first: the demo's shipments are an account's first. */
const OLDEST = 'per_page=100&sort=created_at';
/** Share of a carrier's request rate; the API allows a license a quarter. */
const PART_OF_CARRIER = 0.2;
/** Carriers that report the whole history, so that one refresh suffices. */
const TELL_HISTORY: ReadonlySet<string> = new Set(['run']);

/**
 * Books the demo's parcels and moves each to its status, through the API and the sandboxes. A repeated run
 * continues; parcels moved by others stay.
 */
export async function fillDemo(filling: DemoFilling): Promise<void> {
  await Promise.all(filling.shops.map((shop) => fillShop(filling, shop)));
}

/** {@link fillDemo}, and `then`, with retries: someone may be killing processes to see them recover. */
export async function fillPatiently(
  filling: DemoFilling,
  then: (filling: DemoFilling) => Promise<void>,
): Promise<void> {
  const { stopping } = filling;
  for (let tries = 1; !stopping.aborted; tries += 1) {
    try {
      await step('demo parcels in every status', () => fillDemo(filling));
      return await then(filling);
    } catch (error) {
      if (stopping.aborted) return;
      if (tries === TRIES) return say(`! some demo parcels wait for the next start: ${messageOf(error)}`);
      await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

async function fillShop(filling: DemoFilling, shop: DemoFilling['shops'][number]): Promise<void> {
  const api = openDemoApi(filling.baseUrl, shop.credentials, filling.stopping);
  const known = new Map((await api.list(OLDEST)).map((shipment) => [shipment.orderId, shipment]));
  const parcels = shop.licenses.flatMap((license) =>
    demoParcels(license).map((parcel) => ({ provider: license.provider, parcel })),
  );
  const isFirst = !parcels.some(({ parcel }) => known.has(parcel.orderId));
  const missing = parcels.filter(({ parcel }) => !known.has(parcel.orderId)).map(({ parcel }) => parcel);
  const offered = missing.filter(({ ship }) => 'pickup' in ship).map(({ license }) => license);
  await Promise.all([...new Set(offered)].map((license) => api.loadPickupPoints(license)));
  // Only the first time: changed settings stay, and refused bookings leave nothing to recognize them by.
  if (isFirst) {
    const telling = shop.licenses.filter(({ key }) => TELLING_LICENSES.has(key));
    await Promise.all(telling.map(({ key }) => api.tellRecipients(key)));
    await bookInVain(api, filling, parcels);
  }
  const slots = new Slots({ total: AT_ONCE });
  const booked = await Promise.all(
    parcels
      .filter(({ parcel }) => parcel.end === null || parcel.end === 'cancelled')
      .map(({ provider, parcel }) =>
        slots.use(async () => {
          const shipment = known.get(parcel.orderId) ?? (await book(api, parcel));
          return shipment === null ? [] : [{ provider, parcel, shipment }];
        }),
      ),
  );
  await moveAll(api, filling, booked.flat());
}

function book(api: DemoApi, { license, orderId, ship, order }: DemoParcel): Promise<DemoShipment | null> {
  const body = { license_key: license, ship_data: ship, order: { id: orderId, ...order } };
  return api.book(orderId, body);
}

/** The fault of the carrier: an unknown street, or a lost answer. */
const IN_VAIN = {
  refused: { kind: 'error_in_200', value: 200 },
  unanswered: { kind: 'drop_after' },
} as const;

async function bookInVain(
  api: DemoApi,
  { sandboxes }: DemoFilling,
  parcels: readonly Pick<Booked, 'provider' | 'parcel'>[],
): Promise<void> {
  for (const { provider, parcel } of parcels) {
    if (parcel.end !== 'refused' && parcel.end !== 'unanswered') continue;
    const sandbox = sandboxes[provider] ?? '';
    await controlSandbox(sandbox, 'faults', { operation: 'book', ...IN_VAIN[parcel.end] });
    try {
      await book(api, parcel);
    } finally {
      await controlSandbox(sandbox, 'faults', { operation: 'book', kind: 'none' });
    }
  }
}

/** Carriers in parallel, the parcels of one in sequence. */
async function moveAll(api: DemoApi, filling: DemoFilling, booked: readonly Booked[]): Promise<void> {
  const providers = new Set(booked.map(({ provider }) => provider));
  await Promise.all(
    [...providers].map(async (provider) => {
      const perSecond = carrierFor(provider).limits.requestsPerSecond * PART_OF_CARRIER;
      const rate = new Rate({ perSecond });
      for (const one of booked) {
        if (one.provider === provider) await move(api, filling, one, () => rate.turn());
      }
    }),
  );
}

async function move(
  api: DemoApi,
  { sandboxes, stopping }: DemoFilling,
  { provider, parcel, shipment }: Booked,
  pace: () => Promise<void>,
): Promise<void> {
  const { path, end } = parcel;
  const { uuid, code, status: present } = shipment;
  // Someone else moved it, unless it is new or on its path.
  if (code === '' || (present !== 'created' && !path.includes(present))) return;
  const steps = path.slice(path.indexOf(present) + 1);
  for (const [index, status] of steps.entries()) {
    stopping.throwIfAborted();
    const moved = await controlSandbox(sandboxes[provider] ?? '', 'advance', { code, status });
    const isTold = textAt(moved, 'webhook_status') !== '';
    const isLast = index === steps.length - 1;
    if (isTold || (TELL_HISTORY.has(provider) && !isLast)) continue;
    await pace();
    await api.refresh(uuid);
  }
  if (end === 'cancelled' && present === 'created') await api.cancel(uuid, 'The customer changed the order.');
}
