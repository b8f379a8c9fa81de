import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { textAt } from '../lib/json.js';
import { addAccountCommands } from './accounts.js';
import { addAuditCommands } from './audit.js';
import { Commands, type Session } from './command.js';
import { addCarrierCommands, addCompanyCommands } from './companies.js';
import { addDeployCommands } from './deploy.js';
import { addLicenseCommands } from './licenses.js';
import { addBatchCommands, addExportCommands, addKeyCommands, addMailCommands } from './operations.js';
import { addPanelUserCommands } from './panel-users.js';
import { addRecipientCommands } from './recipients.js';
import { addReconcileCommand } from './reconciling.js';
import { addAppSecretCommands, addCredentialCommands, addTokenCommands } from './secrets.js';
import { addShipmentCommands, addShipmentStatusCommands } from './shipments.js';
import { addStoreSiteCommands } from './store-sites.js';
import { addUserCommands } from './users.js';
import { addWebhookCommands } from './webhooks.js';

const PARTS = [
  addAccountCommands,
  addCredentialCommands,
  addUserCommands,
  addPanelUserCommands,
  addTokenCommands,
  addRecipientCommands,
  addCarrierCommands,
  addCompanyCommands,
  addLicenseCommands,
  addStoreSiteCommands,
  addAppSecretCommands,
  addShipmentCommands,
  addShipmentStatusCommands,
  addWebhookCommands,
  addMailCommands,
  addBatchCommands,
  addExportCommands,
  addAuditCommands,
  addKeyCommands,
  addReconcileCommand,
  addDeployCommands,
];

const HELP = `
admin is "npm run -s admin --" in a checkout, and "node dist/src/main/admin.js" in production, with the
environment of the system: DATABASE_URL, APP_KEY; for resolve, reconcile, keys status and deploy
TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_PAYLOAD_KEY, too.
Exit codes: 0 done, 1 trouble, or something is left (reconcile), 2 bad input, 3 something waits (needs-attention --exit-code).

Examples:
  admin accounts create --name 'Blue Shop' --email ops@blue.example
  admin licenses create --help`;

/** The admin program. Parsing throws commander's errors instead of exiting. */
export function createProgram(session: Session): Command {
  const program = new Command('admin')
    .description('Commands for the administrator and the operator of Parcelworks.')
    .version(version(), '--version', 'show the version')
    .addHelpText('after', HELP)
    .exitOverride();
  const commands = new Commands(program, session);
  for (const add of PARTS) add(commands);
  return program;
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return textAt(JSON.parse(readFileSync(file, 'utf8')), 'version');
}
