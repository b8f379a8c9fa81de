import test from 'ava';
import { Overloaded } from '../../src/domain/errors.js';
import { CreationBacklog } from '../../src/services/creation/creation-backlog.js';

/** A backlog of `creations`, with a manual clock. */
function backlogOf(creations: number) {
  const clock = { now: 0 };
  const backlog = new CreationBacklog(() => clock.now);
  const begun = Array.from({ length: creations }, (_, index) => backlog.enter(`${index}`));
  return { clock, backlog, begun };
}

test('CreationBacklog: accepts any number while workers begin them soon', (t) => {
  const { clock, backlog } = backlogOf(1000);
  clock.now = 3000;

  t.notThrows(() => backlog.enter('one more'));
});

test('CreationBacklog: refuses once the first of many waits too long', (t) => {
  const { clock, backlog } = backlogOf(32);
  clock.now = 3001;

  t.throws(() => backlog.enter('one more'), { instanceOf: Overloaded });
});

test('CreationBacklog: accepts a few without any worker', (t) => {
  const { clock, backlog } = backlogOf(31);
  clock.now = 60_000;

  t.notThrows(() => backlog.enter('one more'));
});

test('CreationBacklog: callers of one creation count once, until the last one leaves', (t) => {
  const { clock, backlog } = backlogOf(30);
  const leave = Array.from({ length: 200 }, () => backlog.enter('the same'));
  clock.now = 4000;

  t.notThrows(() => backlog.enter('the 32nd'));
  t.throws(() => backlog.enter('the 33rd'));
  t.notThrows(() => backlog.enter('the same'));
  for (const one of leave.slice(1)) {
    one();
    one();
  }
  t.throws(() => backlog.enter('the 33rd'));
});

test('CreationBacklog: accepts again when the late ones have begun', (t) => {
  const { clock, backlog, begun } = backlogOf(40);
  clock.now = 2000;
  backlog.enter('later');
  clock.now = 4000;

  t.throws(() => backlog.enter('one more'));
  for (const one of begun) one();

  t.notThrows(() => backlog.enter('one more'));
});
