import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { codeLines } from '../support/code-lines.js';

const root = join(process.cwd(), 'src', 'carriers');
const MOST_LINES = 380;
/** Holds what the settings mean, for people: not counted. */
const SETTINGS = 'config.ts';

/** Why an adapter may exceed {@link MOST_LINES}, and by how much. */
const EXCEPTIONS: Record<string, { most: number; reason: string }> = {
  run: {
    most: 540,
    reason:
      'positional arguments by name and place, replies in XML and in two character sets, long ones in a thread: nothing of JSON helps; narrow fields go on in two notes',
  },
};

test('an adapter holds only what is specific to its carrier', (t) => {
  for (const { provider } of allCarriers()) {
    const folder = join(root, provider.replaceAll('_', '-'));
    const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== SETTINGS);
    const lines = sources.reduce((sum, file) => sum + codeLines(readFileSync(join(folder, file), 'utf8')), 0);

    t.true(lines > 0, provider);
    t.true(lines <= (EXCEPTIONS[provider]?.most ?? MOST_LINES), `${provider} has ${lines} lines of code`);
  }
});

test('every exception is still needed', (t) => {
  for (const [provider, { most }] of Object.entries(EXCEPTIONS)) {
    t.true(allCarriers().some((adapter) => adapter.provider === provider));
    t.true(most > MOST_LINES);
  }
});

test('codeLines: ignores blank lines and comments', (t) => {
  t.is(codeLines('/** a\n * b\n */\n\nconst a = 1; // c\n  // d\n/* e */\n`https://x`;\n'), 2);
});
