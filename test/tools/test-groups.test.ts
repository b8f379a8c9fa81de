import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { groupCode, groupsOf } from '../../tools/engines/test-groups.js';
import { packageScript } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

test('groupsOf: files of faults have a process each, those of pages share one', (t) => {
  const sharing = ['http/etag.test.js', 'http/pages/panel.test.js', 'http/v2.test.js'];

  const { together, alone } = groupsOf(['faults/crash.test.js', ...sharing]);

  t.deepEqual(alone, ['faults/crash.test.js']);
  t.deepEqual(together, [sharing.slice(0, 2), sharing.slice(2)]);
});

test('groupsOf: no file is lost', (t) => {
  const names = Array.from({ length: 21 }, (_, index) => `http/file-${index}.test.js`);
  const { together, alone } = groupsOf([...names, 'e2e/canary.test.js']);
  t.deepEqual([...together.flat(), ...alone], [...names, 'e2e/canary.test.js']);
  t.true(together.length > 1);
});

test('runTogether: hooks and titles belong to their file, and a failure of one fails the run', async (t) => {
  // Beside the compiled tests, where the name of the package leads to ava.
  const folder = join(TESTS, `together-${process.pid}`);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder);
  const name = (file: string) => join(basename(folder), file);
  const write = (file: string, code: string) =>
    writeFileSync(join(folder, file), `import test from 'ava';\n${code}`);
  write(
    'one.test.js',
    `globalThis.ended = 0;
     test.before(() => { globalThis.begun = 'one'; });
     test.after.always(() => { globalThis.ended += 1; });
     test('same title', (t) => t.is(globalThis.begun, 'one'));`,
  );
  write(
    'two.test.js',
    `test.before(() => { globalThis.begun = 'two'; });
     test('same title', (t) => t.is(globalThis.begun + globalThis.ended, 'two1'));
     test.serial('is wrong', (t) => t.is(1, 2));`,
  );
  const entry = join(folder, 'group.test.js');
  writeFileSync(entry, groupCode([name('one.test.js'), name('two.test.js')]));

  const { code, output } = await run(process.execPath, [
    packageScript('ava', 'entrypoints/cli.mjs'),
    relative(process.cwd(), entry),
  ]);

  t.is(code, 1);
  t.regex(output, /one › same title/);
  t.regex(output, /✔ .*two › same title/);
  t.regex(output, /✘ \[fail\]: .*two › is wrong/);
  t.regex(output, /1 test failed/);
});
