import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { TYPESCRIPT_CLIENT } from '../../tools/clients/build.js';
import { cacheFolder, packageScript, projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { patient } from '../support/patience.js';
import { temporaryFolder } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { client } from '../support/typescript-client.js';

const PROGRAMS = join(projectFolder, 'test/clients/typescript');
const RUNTIMES = join(cacheFolder, 'runtimes/node_modules');
/** Packed, a shop downloads less than a small picture. */
const MOST_BYTES = 60_000;
const DENO = ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock'];
const MODULES = [['use.mjs'], ['use-required.cjs']];

interface Runtime {
  program: string;
  /** Arguments of one run each: the client is imported, or required. */
  runs: string[][];
}

const runtimes: Readonly<Record<string, Runtime>> = {
  'this Node': { program: process.execPath, runs: MODULES },
  'Node 20.19': { program: join(RUNTIMES, 'node20/bin/node'), runs: MODULES },
  'Node 22': { program: join(RUNTIMES, 'node22/bin/node'), runs: MODULES },
  'Node 24': { program: join(RUNTIMES, 'node24/bin/node'), runs: MODULES },
  Deno: { program: join(RUNTIMES, '@deno/linux-x64-glibc/deno'), runs: [[...DENO, 'use.mjs']] },
  Bun: { program: join(RUNTIMES, '@oven/bun-linux-x64/bin/bun'), runs: MODULES },
};

const owner = new CleanUps();
let stack: TestStack;
let url: string;
/** An empty project with the packed client. */
let folder: string;
let packed: { size: number; files: { path: string }[] };

test.before(async (t) => {
  t.timeout(patient(180_000));
  folder = temporaryFolder(owner);
  const packing = await run('npm', ['pack', TYPESCRIPT_CLIENT, '--json', '--silent'], { cwd: folder });
  t.is(packing.code, 0, packing.output);
  [packed] = JSON.parse(packing.output.slice(packing.output.indexOf('[')));
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const installing = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${file}`], {
    cwd: folder,
  });
  t.is(installing.code, 0, installing.output);
  cpSync(PROGRAMS, folder, { recursive: true });
  stack = await startStack();
  owner.teardown(() => stack.close());
  url = await stack.startApi();
  await stack.startWorkers();
});
test.after.always(() => owner.end());

test('npm pack: small, without dependencies, and with nothing but the client', (t) => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/parcelworks/package.json'), 'utf8'));
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));

  t.log(`${packed.size} bytes packed, ${packed.files.length} files`);
  t.true(packed.size < MOST_BYTES);
  t.is(manifest.dependencies, undefined);
  t.deepEqual(installed, ['parcelworks']);
  t.deepEqual(
    packed.files
      .map(({ path }) => path)
      .filter((path) => !/^(esm|cjs)\/[\w/-]+(\.d\.ts|\.js|\.json)$/.test(path)),
    ['LICENSE', 'README.md', 'package.json'],
  );
  t.is(client.VERSION, manifest.version);
});

for (const [name, { program, runs }] of Object.entries(runtimes)) {
  const isHere = existsSync(program);
  const title = `${name}: books, repeats, lists, reads again and verifies`;
  const tried = isHere ? test : test.skip;

  tried(isHere ? title : `${title} (it is not there: sh test/clients/runtimes.sh)`, async (t) => {
    t.timeout(patient(120_000));
    const { clientId, clientSecret } = stack.account;

    for (const args of runs) {
      const env = {
        PARCELS_URL: url,
        PARCELS_ID: clientId,
        PARCELS_SECRET: clientSecret,
        PARCELS_BODY: JSON.stringify(shipmentBody(stack.account, 'run')),
      };
      const { code, output } = await run(program, args, { cwd: folder, env, timeoutMs: patient(60_000) });

      t.is(code, 0, output);
      t.deepEqual(JSON.parse(output), {
        same: true,
        refused: 'idempotency_key_conflict',
        listed: 1,
        kept: true,
        event: 'ping',
      });
    }
  });
}

for (const file of ['types.mts', 'types.cts']) {
  test(`${file}: what may be written compiles, what may not does not`, async (t) => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    const args = [packageScript('typescript', 'bin/tsc'), ...options, '--module', 'nodenext', file];

    const { code, output } = await run(process.execPath, args, { cwd: folder });

    t.is(code, 0, output);
  });
}
