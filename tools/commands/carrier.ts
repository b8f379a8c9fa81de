import { Command } from 'commander';
import { runMain, say } from '../launcher/progress.js';
import { planCarrier, writePlan } from './new-carrier.js';

const NEXT = `
The carrier works against its sandbox as it is: npm test -- carriers sandboxes
Then put the real protocol in its place: docs/guides/add-a-carrier.md`;

function create(name: string, { dryRun = false }: { dryRun?: boolean }): void {
  const plan = planCarrier(name);
  if (!dryRun) writePlan(plan);
  for (const { path, isNew } of plan) say(`${isNew ? 'new    ' : 'changed'} ${path}`);
  say(dryRun ? 'Nothing was written.' : NEXT);
}

const program = new Command('npm run carrier --').description('Adds carriers.');

program
  .command('new')
  .description('write a carrier that works: adapter, sandbox, tests, and its lines in the lists')
  .argument('<name>', 'its provider name: words of the letters a to z, joined by _, such as acme_express')
  .option('--dry-run', 'only list the files')
  .action(create);

runMain(async () => {
  await program.parseAsync();
  return 0;
});
