import test from 'ava';
import { TapReader } from '../../src/dev/tap.js';

test('TAP results are counted, and a failure is printed with its details', (t) => {
  const printed: string[] = [];
  const reader = new TapReader((line) => printed.push(line));

  for (const line of [
    'TAP version 13',
    'ok 1 - a › works',
    'not ok 2 - a › breaks',
    '  ---',
    '  message: no',
    '  ...',
    'ok 3 - a › later # SKIP',
    'not ok 4 - b › planned # TODO',
    'ok 5 - c › works',
    '1..5',
    '# tests 5',
  ])
    reader.read(line);

  t.deepEqual(reader.counts, { passed: 2, failed: 1, skipped: 2 });
  t.deepEqual(printed, ['✖ a › breaks', '  ---', '  message: no', '  ...']);
});
