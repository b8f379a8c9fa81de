import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { which } from '../../tools/launcher/run.js';
import { CleanUps } from '../support/clean-ups.js';
import { type Block, docPages } from '../support/doc-pages.js';
import { type DocsDemo, startDocsDemo } from '../support/docs-demo.js';
import { patient } from '../support/patience.js';

/** Pages whose commands need something other than a demo, and the tests that run them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/guides/set-up-a-merchant.md': 'test/admin/guide.test.ts',
  'docs/guides/add-a-carrier.md': 'test/carriers/through-api.test.ts',
};

/** PHP's where the machine has it with curl, as shops do; no test may count on it. */
const RUN: ReadonlySet<string> = new Set(['sh', 'curl', 'mjs', ...(hasPhp() ? ['php'] : [])]);

const cleanUps = new CleanUps();
let demo: DocsDemo | undefined;

test.before(async (t) => {
  t.timeout(patient(180_000));
  demo = await startDocsDemo(cleanUps);
});

test.after.always(() => cleanUps.end());

for (const { path, blocks } of docPages()) {
  const commands = blocks.filter(({ language }) => RUN.has(language));
  if (commands.length === 0 || path in ELSEWHERE) continue;

  // One after the other: the pages share the sandboxes, whose faults hit the next request.
  test.serial(`${path}: its commands work, and give what the page shows`, async (t) => {
    t.timeout(patient(300_000));

    const { code, output } = (await demo?.bash(commands.map(inTurn).join(''))) ?? { code: -1, output: '' };

    t.is(code, 0, output);
    const outputs = output.split(/^@@\n/m);
    const missing = commands.flatMap(({ shown }, index) =>
      shown.filter((line) => outputs[index]?.includes(line) !== true).map((line) => `${index}: ${line}`),
    );
    t.deepEqual(missing, [], output);
  });
}

test('the pages whose commands are run elsewhere are named there', (t) => {
  for (const [page, file] of Object.entries(ELSEWHERE)) {
    t.true(readFileSync(join(projectFolder, file), 'utf8').includes(page), page);
  }
});

const READERS: Readonly<Record<string, string>> = { mjs: 'node --input-type=module', php: 'php' };

/** A block, and a line by which its output ends. */
function inTurn({ language, text }: Block): string {
  const reader = READERS[language];
  const command = reader === undefined ? text : `${reader} <<'END'\n${text}END\n`;
  return `${command}printf '\\n@@\\n'\n`;
}

function hasPhp(): boolean {
  const php = which('php');
  return php !== null && execFileSync(php, ['-m'], { encoding: 'utf8' }).includes('\ncurl\n');
}
