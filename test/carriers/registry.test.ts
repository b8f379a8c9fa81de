import { readdirSync } from 'node:fs';
import test from 'ava';
import { allCarriers, carrierFor } from '../../src/carriers/registry.js';
import { settleMsOf } from '../../src/carriers/settings.js';

const root = process.cwd();
const COLLECT_FROM = { street: 'Herzl', number: '1', city: 'Tel Aviv', company: 'Test merchant' };

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

test('every adapter folder has the same files', (t) => {
  for (const { provider } of allCarriers()) {
    const files = readdirSync(`${root}/src/carriers/${provider.replaceAll('_', '-')}`);

    for (const file of ['index.ts', 'config.ts', 'mapping.ts', 'README.md']) {
      t.true(files.includes(file), `${provider} lacks ${file}`);
    }
  }
});

test('settleMs exceeds the longest wait for a reply', (t) => {
  for (const adapter of allCarriers().filter(({ limits }) => limits.settleMs > 0)) {
    for (const timeout_ms of [100, 15_000, 60_000, 120_000]) {
      const account = { licenseId: 1, settings: { timeout_ms }, secrets: {}, collectFrom: COLLECT_FROM };

      t.true(settleMsOf(adapter, account) > timeout_ms, `${adapter.provider}, ${timeout_ms} ms`);
    }
  }
});

test('carrierFor: finds an adapter by its exact provider name', (t) => {
  for (const { provider, displayName } of allCarriers()) t.is(carrierFor(provider).displayName, displayName);
  t.throws(() => carrierFor('nobody'), { message: /nobody/ });
  t.throws(() => carrierFor('constructor'));
});

test('carrierFor: the adapter has every operation that it had before its calls were measured', (t) => {
  const namesOf = (adapter: object): string[] =>
    Object.entries(adapter).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && name !== 'configSchema'
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    );

  for (const adapter of allCarriers()) {
    t.deepEqual(namesOf(carrierFor(adapter.provider)).sort(), namesOf(adapter).sort(), adapter.provider);
  }
});
