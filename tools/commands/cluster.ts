import { runMain } from '../launcher/progress.js';
import { runScript } from '../launcher/script.js';

// Ctrl-C reaches the script too, which ends what it started.
process.on('SIGINT', () => undefined);
runMain(() => runScript('faults/cluster/main.js', process.argv.slice(2)));
