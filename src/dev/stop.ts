import { runMain, say } from './progress.js';
import { stopEarlier } from './state.js';

runMain(async () => {
  say((await stopEarlier()) ? '✔ stopped' : 'nothing was running');
  return 0;
});
