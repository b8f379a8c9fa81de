import test from 'ava';
import { sharedByKey } from '../../../src/lib/limits/shared-by-key.js';

test('concurrent calls for the same key share one answer, and nothing is kept', async (t) => {
  const asked: string[] = [];
  const ask = sharedByKey(async (key: string) => {
    asked.push(key);
    return asked.length;
  });

  const together = await Promise.all([ask('one'), ask('one'), ask('two')]);
  const later = await ask('one');

  t.deepEqual(together, [1, 1, 2]);
  t.is(later, 3);
  t.deepEqual(asked, ['one', 'two', 'one']);
});

test('a failure reaches all callers that share it, and the next one asks again', async (t) => {
  let isDown = true;
  const ask = sharedByKey(async (key: string) => {
    if (isDown) throw new Error('down');
    return key;
  });

  const failed = await Promise.allSettled([ask('one'), ask('one')]);
  isDown = false;

  t.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  t.is(await ask('one'), 'one');
});
