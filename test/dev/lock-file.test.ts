import test from 'ava';
import { withAddresses } from '../../src/dev/lock-file.js';

function locked(packages: object): string {
  return `${JSON.stringify({ name: 'example', lockfileVersion: 3, packages }, null, 2)}\n`;
}

test('every package gets an address on no registry in particular', (t) => {
  const integrity = 'sha512-AAAA';
  const given = locked({
    '': { name: 'example', version: '1.0.0' },
    'node_modules/a': { version: '1.2.3', integrity },
    'node_modules/a/node_modules/@scope/b': {
      version: '2.0.0',
      resolved: 'https://other.example/b',
      integrity,
    },
    'node_modules/alias': { name: 'c', version: '3.0.0', integrity },
    'node_modules/folder': { resolved: 'packages/folder', link: true },
  });

  t.is(
    withAddresses(given),
    locked({
      '': { name: 'example', version: '1.0.0' },
      'node_modules/a': { version: '1.2.3', resolved: 'https://packages.invalid/a/-/a-1.2.3.tgz', integrity },
      'node_modules/a/node_modules/@scope/b': {
        version: '2.0.0',
        resolved: 'https://packages.invalid/@scope/b/-/b-2.0.0.tgz',
        integrity,
      },
      'node_modules/alias': {
        name: 'c',
        version: '3.0.0',
        resolved: 'https://packages.invalid/c/-/c-3.0.0.tgz',
        integrity,
      },
      'node_modules/folder': { resolved: 'packages/folder', link: true },
    }),
  );
});
