import { runChecks } from '../checks/check-all.js';
import { runMain } from '../launcher/progress.js';

runMain(async () => ((await runChecks()) === 0 ? 0 : 1));
