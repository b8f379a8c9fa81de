import test from 'ava';
import { HostPlaces } from '../../../src/lib/limits/host-places.js';

function clocked(places: number) {
  const clock = { now: 0 };
  return { clock, places: new HostPlaces(places, () => clock.now) };
}

test('bookings: a host that does not answer gets half of the places, others the rest', (t) => {
  const { clock, places } = clocked(20);
  const taken = Array.from({ length: 10 }, () => places.enter('dead.example'));
  clock.now = 5000;

  const more = places.enter('dead.example');
  const others = Array.from({ length: 10 }, () => places.enter('well.example'));

  t.is(more, null);
  t.true([...taken, ...others].every((leave) => leave !== null));
});

test('bookings: a host that answers may take every place, and one that answers again gets in again', (t) => {
  const { clock, places } = clocked(20);

  const quick = Array.from({ length: 20 }, () => places.enter('well.example'));
  clock.now = 5000;
  const whileSlow = places.enter('well.example');
  for (const leave of quick) leave?.();

  t.true(quick.every((leave) => leave !== null));
  t.is(whileSlow, null);
  t.not(places.enter('well.example'), null);
});
