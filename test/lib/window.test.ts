import test from 'ava';
import { Window } from '../../src/lib/window.js';

/** Work that takes turns at a machine of `cores` and then waits, in simulated time. */
function simulate(window: Window, machine: { cores: number; busyMs: number; waitMs: number }, count: number) {
  const free = Array.from({ length: machine.cores }, () => 0);
  const ends: { at: number; done: () => void }[] = [];
  let now = 0;
  const work = async () => {
    const startedAt = now;
    const core = free.indexOf(Math.min(...free));
    const endsAt = Math.max(now, free[core] ?? 0) + machine.busyMs;
    free[core] = endsAt;
    await new Promise<void>((done) => ends.push({ at: endsAt + machine.waitMs, done }));
    window.took(now - startedAt);
  };
  const all = Promise.all(Array.from({ length: count }, () => window.use(work)));
  const turn = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.sort((one, other) => one.at - other.at);
    const next = ends.shift();
    if (next === undefined) return false;
    now = next.at;
    next.done();
    return true;
  };
  return { all, turn };
}

async function sizeFor(
  machine: { cores: number; busyMs: number; waitMs: number },
  isAlone = () => false,
): Promise<number> {
  const window = new Window(32, isAlone);
  const { all, turn } = simulate(window, machine, 400);
  const sizes: number[] = [];
  while (await turn()) sizes.push(window.size);
  await all;
  // The last pieces have nobody behind them, so that the window no longer grows.
  return sizes.slice(200, 350).reduce((sum, size) => sum + size, 0) / 150;
}

test('a fast carrier on a small machine gets a narrow window, a slow one a wide one', async (t) => {
  const fast = await sizeFor({ cores: 2, busyMs: 50, waitMs: 5 });
  const slow = await sizeFor({ cores: 2, busyMs: 50, waitMs: 300 });
  const large = await sizeFor({ cores: 16, busyMs: 50, waitMs: 5 });

  t.true(fast >= 2 && fast <= 4.5, `fast ${fast}`);
  t.true(slow >= 12, `slow ${slow}`);
  t.true(large >= 14, `large ${large}`);
});

test('while nobody else waits the window is wide enough to keep the machine busy, and gives way at once', async (t) => {
  const machine = { cores: 2, busyMs: 50, waitMs: 5 };
  const alone = await sizeFor(machine, () => true);
  let asked = 0;
  const later = await sizeFor(machine, () => {
    asked += 1;
    return asked < 10;
  });

  t.true(alone >= 4 && alone <= 7, `alone ${alone}`);
  t.true(later >= 1.5 && later <= 3.5, `later ${later}`);
});

test('no more work is under way than the window holds, and all of it ends', async (t) => {
  const window = new Window(2, () => false);
  for (let count = 0; count < 6; count++) window.took(10);
  let underWay = 0;
  let most = 0;
  const work = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };

  await Promise.all(Array.from({ length: 20 }, () => window.use(work)));

  t.is(most, 2);
  t.is(underWay, 0);
});

test('how long work takes by itself is asked again after a while', async (t) => {
  const window = new Window(32, () => false);
  const { all, turn } = simulate(window, { cores: 2, busyMs: 50, waitMs: 300 }, 2200);
  const sizes: number[] = [];
  while (await turn()) sizes.push(window.size);
  await all;

  t.is(sizes[0], 1);
  t.true(Math.max(...sizes) >= 12);
  t.is(Math.min(...sizes.slice(2000, 2020)), 1);
  t.true((sizes[2100] ?? 0) >= 10);
});

test('work that fails frees its place', async (t) => {
  const window = new Window(1, () => false);

  const failed = await t.throwsAsync(window.use(() => Promise.reject(new Error('no'))));
  const next = await window.use(async () => 'in place');

  t.is(failed?.message, 'no');
  t.is(next, 'in place');
});

test('one short time is no measure', (t) => {
  const window = new Window(8, () => false);

  for (const ms of [100, 100, 100, 2, 100, 100]) window.took(ms);
  const probed = window.size;
  for (let count = 0; count < 50; count++) window.took(100);

  t.is(probed, 2);
  t.is(window.size, 2);
});
