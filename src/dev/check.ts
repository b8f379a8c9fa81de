import { runChecks } from './check-all.js';
import { runMain } from './progress.js';

runMain(async () => ((await runChecks()) === 0 ? 0 : 1));
