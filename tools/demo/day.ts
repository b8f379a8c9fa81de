import type { SettableStatus } from '../../src/domain/statuses.js';
import { israelToIso } from '../../src/lib/israel-time.js';
import { ENGLISH, HEBREW } from './names.js';
import type { DemoLicense } from './orders.js';
import { BASKETS } from './people.js';

/** A status of a parcel and when the carrier had it so, ms since 1970. */
interface DayStep {
  readonly status: SettableStatus;
  readonly atMs: number;
}

/** One parcel of a shop's last days. */
export interface DayParcel {
  readonly license: DemoLicense;
  readonly orderId: string;
  readonly ship: Readonly<Record<string, unknown>>;
  readonly order: Readonly<Record<string, unknown>>;
  readonly bookedAtMs: number;
  /** Steps until now, oldest first. */
  readonly steps: readonly DayStep[];
  readonly isCancelled: boolean;
}

/** Who orders what from a shop, and how much. */
export interface DayPlan {
  readonly license: DemoLicense;
  readonly language: 'he' | 'en';
  readonly parcels: number;
  /** The first order number; others follow. */
  readonly from: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The share of each day, today first. */
const SHARES = [0.16, 0.22, 0.18, 0.14, 0.12, 0.1, 0.08];
const DATE = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Jerusalem' });
const WEEKDAY = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Jerusalem', weekday: 'short' });

/** The same numbers at every start: from 0 to below 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function one<T>(items: readonly T[], number: number): T {
  const found = items[Math.floor(number * items.length)] ?? items[0];
  if (found === undefined) throw new TypeError('nothing to choose from');
  return found;
}

/** A moment of the day that holds `ms` in Israel. */
function at(ms: number, hour: number): number {
  const minutes = Math.floor((hour % 1) * 60);
  const time = [Math.floor(hour), minutes].map((part) => String(part).padStart(2, '0')).join(':');
  const iso = israelToIso(DATE.format(ms), time);
  if (iso === null) throw new TypeError(`${hour} is no hour of a day`);
  return Date.parse(iso);
}

/** The next day on which couriers drive; not on Saturday. */
function nextDay(ms: number): number {
  return WEEKDAY.format(ms + DAY_MS) === 'Sat' ? ms + 2 * DAY_MS : ms + DAY_MS;
}

/** In business hours of one of the last days, before now: from 8 to 19, on Friday to 13, never on Saturday. */
function bookingTime(share: number, hour: number, nowMs: number): number {
  let sum = 0;
  let daysAgo = SHARES.findIndex((part) => (sum += part) > share);
  for (;;) {
    const dayMs = nowMs - daysAgo * DAY_MS;
    const weekday = WEEKDAY.format(dayMs);
    const bookedMs = at(dayMs, 8.2 + hour * (weekday === 'Fri' ? 4.5 : 10.5));
    if (weekday !== 'Sat' && bookedMs < nowMs - HOUR_MS / 4) return bookedMs;
    daysAgo += 1;
  }
}

/** The whole way of a parcel; some of it may be in the future. */
function wayOf(bookedMs: number, fate: number, next: () => number): DayStep[] {
  const collectedMs = at(bookedMs, Math.max(16, (bookedMs - at(bookedMs, 0)) / HOUR_MS + 1));
  const transitMs = collectedMs + (2 + next() * 3) * HOUR_MS;
  const driveMs = at(nextDay(collectedMs), 8 + next() * 1.5);
  const doorMs = at(driveMs, 10 + next() * 9);
  const onTheWay: DayStep[] = [
    { status: 'collected', atMs: collectedMs },
    { status: 'in_transit', atMs: transitMs },
  ];
  const drive: DayStep = { status: 'out_for_delivery', atMs: driveMs };
  const failed: DayStep = { status: 'delivery_failed', atMs: doorMs };
  const againMs = at(nextDay(doorMs), 10 + next() * 8);
  if (fate < 0.84) return [...onTheWay, drive, { status: 'delivered', atMs: doorMs }];
  if (fate < 0.9) return [...onTheWay, drive, failed, { status: 'delivered', atMs: againMs }];
  if (fate < 0.93) {
    const back: DayStep = { status: 'returned', atMs: at(nextDay(againMs), 12) };
    return [...onTheWay, drive, failed, { status: 'returning', atMs: againMs }, back];
  }
  if (fate < 0.95) return [...onTheWay, { status: 'lost', atMs: againMs }];
  return [...onTheWay, { status: 'at_pickup_point', atMs: doorMs }, { status: 'delivered', atMs: againMs }];
}

/** The parcels of a shop's last days, as they stand at `nowMs`; the same people at every start. */
export function dayParcels({ license, language, parcels, from }: DayPlan, nowMs: number): DayParcel[] {
  const next = random(from);
  const names = language === 'he' ? HEBREW : ENGLISH;
  return Array.from({ length: parcels }, (_, index) => {
    const [city, street] = one<readonly [string, string]>(names.places, next());
    const name = `${one<string>(names.first, next())} ${one<string>(names.last, next())}`;
    const basket = one(Object.values(BASKETS), next());
    const isCash = next() < 0.12;
    const bookedAtMs = bookingTime(next(), next(), nowMs);
    const way = wayOf(bookedAtMs, next(), next);
    const number = String(from + index);
    const isCancelled = next() < 0.03;
    return {
      license,
      orderId: number,
      ship: {
        type: 1,
        return: 1,
        contact_name: name,
        contact_phone: `05${Math.floor(next() * 9)}555${String(1000 + index * 7 + (from % 997)).padStart(4, '0')}`,
        ...(next() < 0.4 ? { contact_mail: `customer-${number}@example.com` } : {}),
        street,
        number: String(1 + Math.floor(next() * 140)),
        ...(next() < 0.7
          ? { floor: String(1 + Math.floor(next() * 6)), apartment: String(1 + Math.floor(next() * 24)) }
          : {}),
        city,
        ...(isCash ? { is_cod: true, cod_amount: basket.total } : {}),
      },
      order: { number, currency: 'ILS', source: 'woocommerce', ...basket },
      bookedAtMs,
      steps: isCancelled ? [] : way.filter(({ atMs }) => atMs < nowMs - 60_000),
      isCancelled,
    };
  });
}
