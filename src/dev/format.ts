import { run } from './commands.js';
import { addAddresses } from './lock-file.js';
import { packageScript, projectFolder } from './paths.js';
import { runMain } from './progress.js';

runMain(async () => {
  addAddresses();
  const biome = packageScript('@biomejs/biome', 'bin/biome');
  const { code } = await run(process.execPath, [biome, 'check', '--write', '.'], {
    cwd: projectFolder,
    live: true,
  });
  return code;
});
