import { carrierList, showCarrier } from '../services/admin/carriers.js';
import {
  changeCompany,
  companyList,
  createCompany,
  deleteCompany,
  requireCompany,
} from '../services/admin/companies.js';
import { carriersHealth } from '../services/operations/carrier-health.js';
import { type Commands, PAGE_OPTIONS, toBoolean, toId } from './command.js';

export function addCarrierCommands(program: Commands): void {
  const noun = program.addNoun('carriers', 'carriers that this version knows', 'carriers show run');
  noun.add({
    name: 'list',
    summary: "list the carriers; the program's are brought into the database, as migrate does",
    examples: ['carriers list', 'carriers list --json'],
    columns: ['id', 'provider', 'name', 'available'],
    run: (app) => carrierList(app),
  });
  noun.add({
    name: 'show <carrier>',
    summary: 'show a carrier with the settings that a license of it takes',
    examples: ['carriers show run', 'carriers show run --json'],
    run: (app, { args: [carrier = ''] }) => showCarrier(app, { carrier }),
  });
  noun.add({
    name: 'health',
    summary: 'show how each carrier took bookings in the last hour and day, and what waits for it',
    examples: ['carriers health', 'carriers health --json'],
    columns: [
      'provider',
      'hour.asked',
      'hour.accepted',
      'day.asked',
      'day.accepted',
      'day.rejected',
      'day.not_sent',
      'day.unknown',
      'typical_ms',
      'last_success_at',
      'pending',
      'needs_attention',
    ],
    run: (app) => carriersHealth(app),
  });
}

export function addCompanyCommands(program: Commands): void {
  const noun = program.addNoun('companies', 'companies of carriers', 'companies list --carrier run');
  noun.addChange({
    name: 'create',
    summary: 'make a company of a carrier',
    options: [
      ['--carrier <provider>', 'required; carriers list names them'],
      ['--name <text>', 'required'],
      ['--premium <true|false>', 'API v1 then serves premium users only', toBoolean],
    ],
    examples: ["companies create --carrier run --name 'HFD'"],
    run: (app, { options }) => createCompany(app, options),
  });
  noun.add({
    name: 'list',
    summary: 'list companies by id',
    options: [['--carrier <provider>', 'only those of this carrier'], ...PAGE_OPTIONS],
    examples: ['companies list', 'companies list --carrier run --json'],
    columns: ['id', 'carrier.provider', 'name', 'is_premium'],
    run: (app, { options }) => companyList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show a company',
    examples: ['companies show 1'],
    run: (app, { args: [id = ''] }) => requireCompany(app, toId(id), 'id'),
  });
  noun.addChange({
    name: 'change <id>',
    summary: 'change what is named, leave the rest',
    options: [
      ['--name <text>', ''],
      ['--premium <true|false>', '', toBoolean],
    ],
    examples: ['companies change 1 --premium true'],
    run: (app, { args: [id = ''], options }) => changeCompany(app, { ...options, id: toId(id) }),
  });
  noun.addChange({
    name: 'delete <id>',
    summary: 'delete a company that no license belongs to',
    examples: ['companies delete 3'],
    run: (app, { args: [id = ''] }) => deleteCompany(app, { id: toId(id) }),
  });
}
