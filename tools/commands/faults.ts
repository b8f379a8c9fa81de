import { runMain } from '../launcher/progress.js';
import { runWithEngines } from '../launcher/script.js';

runMain(() => runWithEngines('faults/long.js', process.argv.slice(2)));
