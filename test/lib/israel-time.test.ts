import test from 'ava';
import {
  israelDayEnd,
  israelDayOf,
  israelDayStart,
  israelToIso,
  toSlashDate,
} from '../../src/lib/israel-time.js';
import { israelWallClock } from '../../src/lib/time.js';

test('israelToIso: converts summer and winter times to UTC', (t) => {
  t.is(israelToIso('21/11/2026', '09:30'), '2026-11-21T07:30:00.000000Z');
  t.is(israelToIso('21/07/2026', '09:30:15'), '2026-07-21T06:30:15.000000Z');
  t.is(israelToIso('01/01/2026', ''), '2025-12-31T22:00:00.000000Z');
});

test('israelToIso: the hours around clock changes', (t) => {
  t.is(israelToIso('27/03/2026', '01:59'), '2026-03-26T23:59:00.000000Z');
  t.is(israelToIso('27/03/2026', '02:30'), '2026-03-27T00:30:00.000000Z');
  t.is(israelToIso('27/03/2026', '03:00'), '2026-03-27T00:00:00.000000Z');
  t.is(israelToIso('25/10/2026', '00:59'), '2026-10-24T21:59:00.000000Z');
  t.is(israelToIso('25/10/2026', '01:30'), '2026-10-24T22:30:00.000000Z');
  t.is(israelToIso('25/10/2026', '02:00'), '2026-10-25T00:00:00.000000Z');
});

test('israelToIso: null for invalid times', (t) => {
  const wrong = [
    ['31/02/2026', '10:00'],
    ['2026-11-21', '10:00'],
    ['21/11/2026', '24:00'],
    ['', ''],
    ['x', 'y'],
  ];

  for (const [date = '', time = ''] of wrong) t.is(israelToIso(date, time), null);
});

test('every hour of a year round-trips, except the repeated one', (t) => {
  let lost = 0;
  for (let hour = 0; hour < 365 * 24; hour += 1) {
    const instant = Date.UTC(2026, 0, 1) + hour * 3_600_000;
    const { date, time } = israelWallClock(instant);
    if (Date.parse(israelToIso(date, time) ?? '') !== instant) lost += 1;
  }

  t.is(lost, 1);
});

test('toSlashDate: reverses days', (t) => {
  t.is(toSlashDate('2026-11-22'), '22/11/2026');
  t.is(toSlashDate('tomorrow'), '');
});

test('israelDayStart and israelDayEnd: bound the day that is shown, also when clocks change', (t) => {
  t.is(israelDayStart('2026-11-28'), '2026-11-27T22:00:00.000000Z');
  t.is(israelDayEnd('2026-11-28'), '2026-11-28T21:59:59.999999Z');
  t.is(israelDayStart('2026-03-27'), '2026-03-26T22:00:00.000000Z');
  t.is(israelDayEnd('2026-03-27'), '2026-03-27T20:59:59.999999Z');
  t.is(israelDayOf('2026-11-27T22:00:00.000000Z'), '2026-11-28');
  t.is(israelDayStart('2026-02-30'), null);
  t.is(israelDayEnd('yesterday'), null);
});
