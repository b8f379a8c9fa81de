import test from 'ava';
import { isStateTold, untold } from '../../../src/db/queries/carriers/history.js';

const told = (occurredAt: string, carrierCode = 'FAILED') => ({ occurredAt, carrierCode });

test('untold: an event that another system of the carrier dates to the minute is no news', (t) => {
  const entries = [told('2026-02-01T10:00:00.000000Z'), told('2026-02-01T15:00:00.000000Z')];

  const left = untold(entries, [told('2026-02-01T10:00:31.120000Z'), told('2026-02-01T15:00:59.900000Z')]);

  t.deepEqual(left, []);
});

test('untold: events of one list are never one, however near they are', (t) => {
  const list = [told('2026-02-01T10:00:00.000000Z'), told('2026-02-01T10:00:20.000000Z')];

  t.deepEqual(untold([], list), list);
  t.deepEqual(untold(list.slice(0, 1), list), list.slice(1));
  t.deepEqual(untold(list, list), []);
});

test('untold: a delivery that fails on two days is two entries', (t) => {
  const entries = [told('2026-02-01T10:00:00.000000Z')];
  const next = told('2026-02-02T10:00:10.000000Z');

  t.deepEqual(untold(entries, [told('2026-02-01T10:00:10.000000Z'), next]), [next]);
});

test('isStateTold: the neighbors in time tell it, another status between does not', (t) => {
  const entries = [
    told('2026-02-01T09:00:00.000000Z'),
    told('2026-02-01T10:00:00.000000Z', 'ACTIVE'),
    told('2026-02-01T11:00:00.000000Z'),
  ];
  const at = (time: string, code?: string) =>
    isStateTold(entries, told(`2026-02-01T${time}:00.000000Z`, code), 'poll');

  t.deepEqual([at('08:00'), at('09:30'), at('10:30'), at('12:00')], [true, true, true, true]);
  t.deepEqual([at('08:00', 'ACTIVE'), at('09:30', 'ACTIVE'), at('12:00', 'ACTIVE')], [false, true, false]);
});
