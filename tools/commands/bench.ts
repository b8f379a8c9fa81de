import { runMain, SetupError } from '../launcher/progress.js';
import { runWithEngines } from '../launcher/script.js';

runMain(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (name === undefined || !/^[a-z][a-z0-9-]*$/.test(name)) {
    throw new SetupError('usage: npm run bench -- <name>, for instance create');
  }
  return runWithEngines(`bench/${name}.js`, args);
});
