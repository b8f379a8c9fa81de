import { readdirSync } from 'node:fs';
import test from 'ava';
import { allCarriers, carrierFor } from '../../src/carriers/registry.js';

const root = process.cwd();

test('the registry holds exactly the folders on disk', (t) => {
  const folders = readdirSync(`${root}/src/carriers`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name.replaceAll('-', '_'));

  t.deepEqual(
    allCarriers()
      .map((adapter) => adapter.provider)
      .toSorted(),
    folders.toSorted(),
  );
});

test('every folder has the same shape', (t) => {
  for (const { provider } of allCarriers()) {
    const files = readdirSync(`${root}/src/carriers/${provider.replaceAll('_', '-')}`);

    for (const file of ['index.ts', 'config.ts', 'mapping.ts', 'README.md']) {
      t.true(files.includes(file), `${provider} lacks ${file}`);
    }
  }
});

test('an adapter is found by its provider name, and only by it', (t) => {
  for (const adapter of allCarriers()) t.is(carrierFor(adapter.provider), adapter);
  t.throws(() => carrierFor('nobody'), { message: /nobody/ });
  t.throws(() => carrierFor('constructor'));
});
