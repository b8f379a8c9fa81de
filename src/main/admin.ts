import { Command, InvalidArgumentError } from 'commander';
import {
  type AdminDeps,
  AdminError,
  needsAttention,
  resolveShipment,
  rotateCredentials,
} from '../admin/commands.js';
import { loadConfig } from '../config/config.js';
import type { BookingDecision } from '../contracts/create-shipment.js';
import { openDatabase } from '../db/database.js';
import { openTemporal } from '../temporal/client.js';
import { runProcess } from './process.js';

interface ResolveOptions {
  adopt?: string;
  retry?: true;
  giveUp?: string;
}

const program = new Command('admin').description(
  'Commands for the administrator and the operator of Parcelworks.',
);

program
  .command('rotate-credentials')
  .description('make new API credentials for an account; the secret is shown this once')
  .argument('<account-id>', 'id of the account', positiveInteger)
  .action((accountId: number) => print((deps) => rotateCredentials(deps, accountId)));

program
  .command('needs-attention')
  .description('list the shipments whose booking has an unknown outcome')
  .action(() => print(needsAttention));

program
  .command('resolve')
  .description('decide on a booking of unknown outcome')
  .argument('<shipment-uuid>')
  .option('--adopt <tracking-code>', 'the parcel is there, under this code')
  .option('--retry', 'the parcel is certainly not there: book again')
  .option('--give-up <reason>', 'the shipment is not wanted any more')
  .action((uuid: string, options: ResolveOptions) =>
    print((deps) => resolveShipment(deps, uuid, decisionOf(options))),
  );

await runProcess('admin', async () => {
  await program.parseAsync();
});

async function print(command: (deps: AdminDeps) => Promise<unknown>): Promise<void> {
  const config = loadConfig();
  const db = openDatabase({ url: config.databaseUrl, poolSize: 1 });
  const temporal = openTemporal(config);
  try {
    const result = await command({ db, temporal, appKey: config.appKey });
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await Promise.all([db.close(), temporal.connection.close()]);
  }
}

function decisionOf(options: ResolveOptions): BookingDecision {
  const given = Object.keys(options).length;
  if (given !== 1) throw new AdminError('Give exactly one of --adopt, --retry and --give-up.');
  if (options.adopt !== undefined) return { action: 'adopt', trackingCode: options.adopt };
  if (options.giveUp !== undefined) return { action: 'give_up', reason: options.giveUp };
  return { action: 'retry' };
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(text);
}
