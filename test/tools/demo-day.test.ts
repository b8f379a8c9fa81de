import test from 'ava';
import { dayParcels } from '../../tools/demo/day.js';

const license = { key: 'demo-third', provider: 'independent' };
const PLAN = { license, language: 'he', parcels: 200, from: 7000 } as const;
/** A Monday, 17:30 in Israel. */
const NOW = Date.parse('2026-11-23T15:30:00Z');
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Jerusalem',
  weekday: 'short',
  hour: 'numeric',
  hourCycle: 'h23',
});

function clock(ms: number): { weekday: string; hour: number } {
  const parts = new Map(CLOCK.formatToParts(ms).map(({ type, value }) => [type, value]));
  return { weekday: parts.get('weekday') ?? '', hour: Number(parts.get('hour')) };
}

for (const [name, now] of [
  ['in business hours', NOW],
  ['on a Saturday night', Date.parse('2026-11-28T01:00:00Z')],
] as const) {
  test(`dayParcels ${name}: booked in business hours, moved forward, and nothing is in the future`, (t) => {
    const parcels = dayParcels(PLAN, now);

    t.is(new Set(parcels.map(({ orderId }) => orderId)).size, PLAN.parcels);
    for (const { orderId, bookedAtMs, steps } of parcels) {
      const { weekday, hour } = clock(bookedAtMs);
      const times = [bookedAtMs, ...steps.map(({ atMs }) => atMs), now];
      t.deepEqual(
        times,
        [...times].sort((one, other) => one - other),
        orderId,
      );
      t.true(weekday !== 'Sat' && hour >= 8 && hour < 19, `${orderId} ${weekday} ${hour}`);
    }
    t.true(new Set(parcels.map(({ bookedAtMs }) => new Date(bookedAtMs).toDateString())).size >= 5);
    t.true(parcels.filter(({ steps }) => steps.at(-1)?.status === 'delivered').length > PLAN.parcels / 3);
  });
}

test('dayParcels: the same people order at every start', (t) => {
  const people = (nowMs: number) => dayParcels(PLAN, nowMs).map(({ ship, order }) => ({ ship, order }));

  t.deepEqual(people(NOW), people(NOW + 3_600_000));
});
