import { runMain } from './progress.js';
import { runWithEngines } from './script.js';

runMain(() => runWithEngines('faults/long.js', process.argv.slice(2)));
