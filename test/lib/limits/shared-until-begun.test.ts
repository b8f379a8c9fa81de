import test from 'ava';
import { createLimit } from '../../../src/lib/limits/in-turns.js';
import { sharedUntilBegun } from '../../../src/lib/limits/shared-until-begun.js';

interface Question {
  key: string;
  turn?: string;
}

/** Work that runs until the test ends it, and the questions it has begun. */
function startWork(atOnce: number) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = sharedUntilBegun(
    createLimit(atOnce),
    async ({ key }: Question) => {
      const number = begun.push(key);
      await new Promise<void>((resolve) => ends.push(resolve));
      return number;
    },
    { keyOf: ({ key }) => key, turnOf: ({ turn }) => turn },
  );
  return { ask, begun, ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('calls before the work has begun share it, later ones run it again', async (t) => {
  const { ask, begun, ends } = startWork(1);

  const first = [ask({ key: 'a' }), ask({ key: 'a' })];
  await settled();
  const second = [ask({ key: 'a' }), ask({ key: 'a' })];
  await settled();
  const begunAtFirst = [...begun];
  ends[0]?.();
  await settled();
  ends[1]?.();

  t.deepEqual(begunAtFirst, ['a']);
  t.deepEqual(await Promise.all([...first, ...second]), [1, 1, 2, 2]);
});

test('what differs takes turns by its keys, within the limit', async (t) => {
  const { ask, begun, ends } = startWork(1);
  const all = [
    ask({ key: 'a1', turn: 'a' }),
    ask({ key: 'a2', turn: 'a' }),
    ask({ key: 'a3', turn: 'a' }),
    ask({ key: 'b1', turn: 'b' }),
  ];

  for (let count = 0; count < all.length; count += 1) {
    await settled();
    t.is(begun.length, count + 1);
    ends[count]?.();
  }
  await Promise.all(all);

  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
});

test('a failure reaches all callers that share it, and the next one asks again', async (t) => {
  let isDown = true;
  const work = async ({ key }: Question) => {
    if (isDown) throw new Error('down');
    return key;
  };
  const ask = sharedUntilBegun(createLimit(1), work, { keyOf: ({ key }) => key, turnOf: () => 0 });

  const failed = await Promise.allSettled([ask({ key: 'a' }), ask({ key: 'a' })]);
  isDown = false;

  t.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.is(await ask({ key: 'a' }), 'a');
});
