import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { docPages } from '../support/doc-pages.js';

/** The environment file that the page for operators shows. */
function shownFile(): string {
  const page = docPages().find(({ path }) => path === 'docs/operate.md');
  const block = page?.blocks.find(({ text }) => text.startsWith('NODE_ENV=production'));
  if (block === undefined) throw new Error('docs/operate.md shows no environment file');
  return block.text;
}

/** As systemd reads such a file: a value may stand in single quotes, and is then taken as it is. */
function bySystemd(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
      return [name, value.replace(/^'([^']*)'$/, '$1')];
    }),
  );
}

for (const shell of ['sh', 'bash']) {
  test(`the environment file of the page for operators: ${shell} reads what systemd reads`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'environment-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'parcelworks.env');
    const text = shownFile().replace('parcelworks:…@', 'parcelworks:a$b&c d@');
    writeFileSync(file, text);

    const script = `set -eu; set -a; . "${file}"; set +a; "${process.execPath}" -p 'JSON.stringify(process.env)'`;
    const read = JSON.parse(
      execFileSync(shell, ['-c', script], { env: { PATH: process.env.PATH }, encoding: 'utf8' }),
    );

    const expected = bySystemd(text);
    t.is(expected.MAIL_FROM, 'Parcelworks <parcels@example.com>');
    t.is(expected.DATABASE_URL, 'mysql://parcelworks:a$b&c d@mysql.internal:3306/parcelworks');
    t.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, read[name]])), expected);
  });
}
