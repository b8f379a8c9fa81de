import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { planCarrier, writePlan } from '../../tools/commands/new-carrier.js';
import { packageScript } from '../../tools/launcher/paths.js';
import { codeLines } from '../support/code-lines.js';
import { patient } from '../support/patience.js';

const TREE = [
  'src',
  'tools',
  'test',
  'workflows',
  'activities',
  'docs',
  '.github/images',
  'README.md',
  'CONTRIBUTING.md',
  'package.json',
  'tsconfig.json',
  'biome.json',
  'knip.json',
  'ava.config.js',
  '.oxlintrc.json',
  '.dependency-cruiser.cjs',
  '.gitignore',
];
const MOST_LINES = 250;
const MINUTE_MS = 60_000;

/** A copy of the repository of one test's own, with the installed packages. */
async function copyTree(t: ExecutionContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'parcelworks-tree-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  await Promise.all(TREE.map((name) => cp(name, join(root, name), { recursive: true })));
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Runs a script of a package in the tree, and passes when it ends well. */
async function passes(t: ExecutionContext, root: string, script: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    // The carrier's tests need the engines.
    env: process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const output = Buffer.concat(chunks).toString();
  t.is(code, 0, `${script} ${args.join(' ')}\n${output.slice(-4000)}`);
  return output;
}

/** Path → content of the sources. */
async function sourcesOf(root: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const folder of ['src', 'tools', 'test']) {
    for (const file of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      sources.set(path.slice(root.length + 1), await readFile(path, 'utf8'));
    }
  }
  return sources;
}

test('a new carrier passes the checks and its tests as it was written, and books through the API', async (t) => {
  t.timeout(patient(8 * MINUTE_MS));
  const root = await copyTree(t);

  const plan = planCarrier('acme_express', root);
  writePlan(plan, root);

  const files = plan.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  await passes(t, root, packageScript('typescript', 'bin/tsc'), ['-p', '.', '--outDir', 'dist']);
  await passes(t, root, packageScript('@biomejs/biome', 'bin/biome'), [
    'check',
    '--error-on-warnings',
    ...files,
  ]);
  await passes(t, root, packageScript('oxlint', 'bin/oxlint'), ['--type-aware', '--deny-warnings', ...files]);
  await passes(t, root, packageScript('knip', 'bin/knip.js'), ['--no-progress']);
  const cruiser = packageScript('dependency-cruiser', 'bin/dependency-cruise.mjs');
  await passes(t, root, cruiser, ['--config', '.dependency-cruiser.cjs', ...files]);
  await passes(t, root, join(root, 'dist', 'src', 'main', 'bundle.js'), []);
  await passes(t, root, join(root, 'dist', 'tools', 'docs', 'build.js'), []);
  const tested = await passes(t, root, packageScript('ava', 'entrypoints/cli.mjs'), [
    '--tap',
    'dist/test/carriers/acme-express/*.test.js',
    'dist/test/carriers/{registry,size,through-api}.test.js',
  ]);
  t.regex(tested, /^ok \d+ - .*acme_express: books and cancels a parcel through the API$/m);
  t.regex(tested, /^ok \d+ - .*acme_express: the guide's commands book and cancel a parcel$/m);
});

test('is short, and nothing of it names the template', async (t) => {
  const created = planCarrier('zed_express').filter(({ isNew }) => isNew);

  const adapter = created.filter(({ path }) => /^src\/carriers\/.*\.ts$/.test(path));
  const lines = adapter.reduce((sum, { content }) => sum + codeLines(content), 0);
  t.true(lines > 100 && lines <= MOST_LINES, `${lines} lines`);
  for (const { path, content } of created) t.notRegex(content, /acme|carrier-template|TODO/i, path);
  t.deepEqual(
    created.map(({ path }) => path),
    [
      ...['index.ts', 'config.ts', 'client.ts', 'mapping.ts', 'README.md'].map(
        (file) => `src/carriers/zed-express/${file}`,
      ),
      'tools/doubles/carriers/zed-express.ts',
      'test/carriers/zed-express/conformance.test.ts',
      'test/carriers/zed-express/mapping.test.ts',
    ],
  );
});

test('a name that no carrier can have, or one has, is refused', (t) => {
  const refused = (name: string, message: RegExp) => t.throws(() => planCarrier(name), { message }, name);

  for (const name of ['', 'Acme', '4you', 'a-b', 'a__b', '_a', 'a_', 'a b', '../x', 'a'.repeat(65)]) {
    refused(name, /is no name of a carrier/);
  }
  for (const name of ['run', 'wolt_drive', 'independent']) refused(name, /already: src\/carriers\/.* exists/);
  for (const name of ['class', 'await', 'book', 'adapters', 'carrier_for', 'test'])
    refused(name, /longer name/);
});

test('when one file cannot be written, none is', async (t) => {
  const root = await copyTree(t);
  const plan = planCarrier('acme_express', root);
  const before = await sourcesOf(root);
  // Where the adapter's folder has to come stands a file.
  await writeFile(join(root, 'src', 'carriers', 'acme-express'), '');

  t.throws(() => writePlan(plan, root));

  await rm(join(root, 'src', 'carriers', 'acme-express'));
  t.deepEqual(await sourcesOf(root), before);
  // A later file than the first: what was written before it goes too.
  await writeFile(join(root, 'test', 'carriers', 'acme-express'), '');
  t.throws(() => writePlan(plan, root));
  t.false(existsSync(join(root, 'src', 'carriers', 'acme-express')));
  await rm(join(root, 'test', 'carriers', 'acme-express'));
  t.deepEqual(await sourcesOf(root), before);
});
