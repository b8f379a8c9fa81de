import test from 'ava';
import { Overloaded } from '../../src/domain/errors.js';
import { CreationBacklog } from '../../src/services/creation-backlog.js';

/** A backlog of so many creations, and a clock that is moved by hand. */
function backlogOf(creations: number) {
  const clock = { now: 0 };
  const backlog = new CreationBacklog(() => clock.now);
  const begun = Array.from({ length: creations }, () => backlog.enter());
  return { clock, backlog, begun };
}

test('any number of creations is taken while workers begin them soon', (t) => {
  const { clock, backlog } = backlogOf(1000);
  clock.now = 3000;

  t.notThrows(() => backlog.enter());
});

test('creations are turned away once the first of many waits for too long', (t) => {
  const { clock, backlog } = backlogOf(32);
  clock.now = 3001;

  t.throws(() => backlog.enter(), { instanceOf: Overloaded });
});

test('a few creations are taken although no worker is there', (t) => {
  const { clock, backlog } = backlogOf(31);
  clock.now = 60_000;

  t.notThrows(() => backlog.enter());
});

test('creations are taken again when those that waited for too long have begun', (t) => {
  const { clock, backlog, begun } = backlogOf(40);
  clock.now = 2000;
  backlog.enter();
  clock.now = 4000;

  t.throws(() => backlog.enter());
  for (const one of begun) one();

  t.notThrows(() => backlog.enter());
});
