import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type KeyRing, parseKeyRing } from '../../src/config/validators.js';
import { findDifference, readHistory } from '../engines/replay.js';
import { devFolder } from '../launcher/paths.js';
import { messageOf, runMain, SetupError } from '../launcher/progress.js';

const USAGE = 'usage: npm run replay -- history.json [--key id:base64 …]';

/** The keys of the command line, else of the environment, else of the demo. @throws SetupError */
function keysOf(given: readonly string[] | undefined): KeyRing {
  const text = given?.join(',') ?? process.env['TEMPORAL_PAYLOAD_KEY'] ?? demoKeys();
  if (text === '') return new Map();
  try {
    return parseKeyRing(text);
  } catch (error) {
    throw new SetupError(`--key, or TEMPORAL_PAYLOAD_KEY, ${messageOf(error)}`);
  }
}

function demoKeys(): string {
  try {
    return /^TEMPORAL_PAYLOAD_KEY=(.*)$/m.exec(readFileSync(join(devFolder, 'env'), 'utf8'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** `npm run replay`: whether the workflows of this checkout replay a downloaded history. */
runMain(async () => {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { key: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new SetupError(USAGE);
  const run = readHistory(readFileSync(file, 'utf8'));
  const difference = await findDifference(run, keysOf(values.key));
  const name = `${run.workflowType} ${run.workflowId}, ${run.history.events?.length} events`;
  if (difference === null) {
    console.log(`✔ ${name}: this code makes the same commands`);
    return 0;
  }
  console.error(
    `✖ ${name}: this code makes other commands than event ${difference.events}\n  ${difference.why}`,
  );
  return 1;
});
