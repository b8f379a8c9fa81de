import { textAt } from '../../src/lib/json.js';
import { codeOf } from '../demo/panel.js';
import { runMain, SetupError } from '../launcher/progress.js';
import { readDevJson } from '../launcher/state.js';

/** A code that ends within this time is not shown: nobody types it so fast. */
const LEAST_MS = 5000;
const STEP_MS = 30_000;

/** Prints how to sign in to the demo's panel. */
runMain(async () => {
  const demo = readDevJson('demo.json');
  const secret = textAt(demo, 'panel_user', 'totp_secret');
  if (secret === '') throw new SetupError('No demo runs in this folder: npm start -- --detach');
  const leftMs = STEP_MS - (Date.now() % STEP_MS);
  if (leftMs < LEAST_MS) await new Promise((resolve) => setTimeout(resolve, leftMs));
  const now = Date.now();
  console.log(
    [
      `address   ${textAt(demo, 'panel')}`,
      `e-mail    ${textAt(demo, 'panel_user', 'email')} (administrator)`,
      `          ${textAt(demo, 'panel_user', 'owner_email')} (owner of a shop, in Hebrew)`,
      `password  ${textAt(demo, 'panel_user', 'password')}`,
      `code      ${codeOf(secret, now)} for ${Math.ceil((STEP_MS - (now % STEP_MS)) / 1000)} seconds, once for each user`,
    ].join('\n'),
  );
  return 0;
});
