import { runMain, say } from '../launcher/progress.js';
import { stopEarlier } from '../launcher/state.js';

runMain(async () => {
  say((await stopEarlier()) ? '✔ stopped' : 'nothing was running');
  return 0;
});
