import { Command } from 'commander';
import { projectFolder } from '../launcher/paths.js';
import { runMain, say } from '../launcher/progress.js';
import { makeArtifacts, makeRelease } from '../release/release.js';

const program = new Command('npm run release --').description('Makes a release.');

program
  .command('tag')
  .description('the section of the changelog, the versions, commit and tag; only says so without --yes')
  .argument('<version>', 'such as 0.2.0')
  .option('--yes', 'write, commit and tag')
  .action(async (version: string, { yes = false }: { yes?: boolean }) => {
    await makeRelease({ folder: projectFolder, version }, yes);
    if (!yes) say('Nothing was written. Repeat it with --yes.');
  });

program
  .command('artifacts')
  .description('bill of materials, notes and images of the checkout, into .dev/release')
  .argument('<version>', 'such as 0.2.0')
  .option('--registry <place>', 'where images are pushed: registry.example.com/parcelworks')
  .action(async (version: string, { registry }: { registry?: string }) => {
    await makeArtifacts({ folder: projectFolder, version }, { registry });
  });

runMain(async () => {
  await program.parseAsync();
  return 0;
});
