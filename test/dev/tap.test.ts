import test from 'ava';
import { packageScript } from '../../src/dev/paths.js';
import { TapReader } from '../../src/dev/tap.js';
import '../../src/dev/tap-details.js';

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
  t.deepEqual(reader.failures, ['a › breaks']);
});

test('the runner writes down a failure whose error names no line of ours', async (t) => {
  const { test: write } = await import(packageScript('supertap', 'dist/index.js'));
  const error = Object.assign(new Error('other side closed'), { stack: 'Error: other side closed' });

  const written: string = write('faults › closes', { index: 1, passed: false, error });

  t.regex(written, /^not ok 1 - faults › closes\n/);
  t.regex(written, /message: other side closed/);
});
