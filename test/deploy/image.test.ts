import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { patient } from '../support/patience.js';

const DOCKERFILE = readFileSync(join(projectFolder, 'docker/Dockerfile'), 'utf8').replaceAll(/\\\n/g, '');
const IGNORED = readFileSync(join(projectFolder, '.dockerignore'), 'utf8').split('\n');

/** The instructions of a stage, by their names. */
function stage(name: string): readonly (readonly [string, string])[] {
  const text = DOCKERFILE.split(/^FROM .* AS (?=\w+$)/m).find((one) => one.startsWith(`${name}\n`)) ?? '';
  return [...text.matchAll(/^(COPY|RUN|CMD) (.*)$/gm)].map(
    ([, what = '', rest = '']) => [what, rest] as const,
  );
}

test('docker/Dockerfile: what it copies is enough to build, and what it keeps starts all three processes', async (t) => {
  t.timeout(patient(180_000));
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const out = join(folder, 'out');
  const modules = join(projectFolder, 'node_modules');
  for (const [what, rest] of stage('build')) {
    if (what === 'COPY') {
      const paths = rest.split(' ').slice(0, -1);
      t.deepEqual(
        paths.filter((path) => !IGNORED.includes(`!${path}`)),
        [],
        '.dockerignore keeps them away',
      );
      for (const path of paths) cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    } else if (rest.startsWith('npm ci')) {
      symlinkSync(modules, join(folder, 'node_modules'));
    } else {
      mkdirSync(dirname(out), { recursive: true });
      const script = rest.replaceAll('/out', out);
      const { code, output } = await run('sh', ['-ec', script], { cwd: folder, timeoutMs: 120_000 });
      t.is(code, 0, output);
    }
  }
  symlinkSync(modules, join(out, 'node_modules'));

  for (const name of ['migrate', 'api', 'worker', 'documents']) {
    const [, command = '[]'] = stage(name).find(([what]) => what === 'CMD') ?? [];
    const [, ...args]: string[] = JSON.parse(command);
    const env = { PATH: process.env.PATH ?? '' };
    const { code, output } = await run('env', ['-i', process.execPath, ...args], { cwd: out, env });

    t.is(code, 1, output);
    t.regex(output, /^\w+: The environment is not complete:\n {2}DATABASE_URL: /, output);
  }
});

test('docker/Dockerfile: every image runs as a numbered user other than root, from an exact base', (t) => {
  const bases = [...DOCKERFILE.matchAll(/^FROM (\S+) AS/gm)].map(([, base = '']) => base);
  t.deepEqual(
    bases.filter((base) => base.includes(':')),
    bases.slice(0, 1),
  );
  t.regex(bases[0] ?? '', /^node:\d+\.\d+\.\d+-bookworm-slim$/);
  t.deepEqual([...new Set(DOCKERFILE.match(/^USER .*$/gm))], ['USER 1000:1000']);
  for (const name of ['migrate', 'documents'])
    t.regex(DOCKERFILE, new RegExp(`AS ${name}\n[^]*?\nUSER 1000`));
});
