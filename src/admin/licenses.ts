import { checkLicense } from '../services/admin/check-license.js';
import {
  changeLicense,
  createLicense,
  licenseList,
  licenseWebhookUrl,
  rotateWebhookUrl,
  type ShownLicense,
  showLicense,
} from '../services/admin/licenses.js';
import {
  type CommandInput,
  type CommandOption,
  type Commands,
  PAGE_OPTIONS,
  textOption,
  textOrNone,
  toBoolean,
  toId,
  toList,
  toNumber,
  toPairs,
} from './command.js';
import { readObject, readSecrets } from './input.js';

const FIELDS: readonly CommandOption[] = [
  ['--key <text>', 'license_key of the API, 16 characters or more; random where none is given'],
  ['--short-key', 'accept a shorter --key: anyone who guesses it can use the license in API v1'],
  ['--expires <date|never>', '2027-01-31 (the end of that day in Israel) or 2027-01-31T22:00:00Z'],
  ['--multiple-shipment <true|false>', 'whether an order may have several shipments', toBoolean],
  [
    '--sandbox <true|false>',
    'whether its parcels are for trying only; programs that speak MCP take it first',
    toBoolean,
  ],
  ['--commitment-day <n>', 'days of commitment', toNumber],
  ['--domain <domain|none>', 'shop that activation binds the license to', textOrNone],
  ['--blocked-status <status>', 'order status without shipments in API v1; repeats', toList],
  ['--settings <file>', "JSON file with the carrier's settings; - is standard input"],
  ['--set <name=value>', "one of the carrier's settings; repeats", toPairs],
  ['--secret <name>', 'a setting read unseen: typed, or a line of standard input; repeats', toList],
  ['--collect-street <text>', 'where parcels are collected'],
  ['--collect-number <text>', ''],
  ['--collect-city <text>', ''],
  ['--collect-company <text>', ''],
  ['--label-method <builtin|carrier>', "who makes labels; '' takes the account's"],
  ['--label-type <thermal|A4>', "paper of labels; '' takes the account's"],
  ['--order-prefix <text>', 'put before order numbers for the carrier'],
  ['--flag <name=true|false>', 'print_products, enable_cod, send_note_on_order …; repeats', toPairs],
];

export function addLicenseCommands(program: Commands): void {
  const noun = program.addNoun('licenses', "merchants' accounts at carriers", 'licenses list --account 1');
  noun.addChange({
    name: 'create',
    summary: 'make a license; carriers show lists the settings that it takes',
    options: [
      ['--account <id>', 'required', toId],
      ['--company <id>', 'one of companies list; or', toId],
      ['--carrier <provider>', 'with --company-name: that company of it, made where there is none'],
      ['--company-name <text>', 'the name of the carrier that people read, such as HFD'],
      ['--name <text>', 'required'],
      ...FIELDS,
    ],
    examples: [
      "licenses create --account 1 --company 1 --name 'Own couriers'",
      'licenses create --account 1 --company 2 --name HFD --settings hfd.json --secret token < token.txt',
    ],
    run: async (app, input) => createLicense(app, await requestOf(input)),
  });
  noun.add({
    name: 'list',
    summary: 'list licenses by id',
    options: [['--account <id>', 'only those of this account', toId], ...PAGE_OPTIONS],
    examples: ['licenses list', 'licenses list --account 1 --json'],
    columns: ['id', 'key', 'name', 'account_id', 'provider', 'state', 'expires_at'],
    run: (app, { options }) => licenseList(app, options),
  });
  noun.add({
    name: 'show <key-or-id>',
    summary: 'show a license; of its secrets the names only',
    examples: ['licenses show 1'],
    run: (app, { args: [license = ''] }) => showLicense(app, { license }),
  });
  addLicenseChange(noun);
  addCheck(noun);
  noun.addChange({
    name: 'webhook-url <key-or-id>',
    summary: 'show where the carrier posts what happens to parcels; treat it like a password',
    options: [['--rotate', 'make a new one; the old one ends at once']],
    examples: ['licenses webhook-url 2', 'licenses webhook-url 2 --rotate'],
    run: (app, { args: [license = ''], options }) =>
      options.rotate === true ? rotateWebhookUrl(app, { license }) : licenseWebhookUrl(app, { license }),
  });
  noun.addSwitch({
    argument: '<key-or-id>',
    example: '1',
    disable: 'refuse a license everywhere; its shipments go on being followed',
    enable: 'let a license be used again',
    run: async (app, license, active) => noted(await changeLicense(app, { license, active })),
  });
}

function addCheck(noun: Commands): void {
  noun.add({
    name: 'check <key-or-id>',
    summary: 'ask the carrier whether address and credentials hold; nothing is booked',
    examples: ['licenses check blue-hfd'],
    run: async (app, { args: [license = ''] }) => {
      const check = await checkLicense(app, { license });
      if (check.result === 'refused' || check.result === 'away') process.exitCode = 1;
      return check;
    },
  });
}

function addLicenseChange(noun: Commands): void {
  noun.addChange({
    name: 'change <key-or-id>',
    summary: 'change what is named, leave the rest',
    options: [
      ['--name <text>', ''],
      ['--company <id>', "another company of the license's carrier", toId],
      ['--company-name <text>', 'the same by name, made where there is none'],
      ['--unset <name>', "remove one of the carrier's settings; repeats", toList],
      ...FIELDS,
    ],
    examples: [
      'licenses change 1 --set shipment_type=36 --unset cod_type',
      'licenses change 1 --secret token < token.txt',
      'licenses change 1 --expires 2027-12-31 --flag print_products=true',
    ],
    run: async (app, input) => {
      const request = { ...(await requestOf(input)), license: input.args[0] };
      return noted(await changeLicense(app, request));
    },
  });
}

/** The options in the use case's names, with the content of files and standard input. */
async function requestOf({ options }: CommandInput): Promise<Record<string, unknown>> {
  const { secret, flag, blockedStatus, settings: _file, set, ...rest } = options;
  const file = textOption(options, 'settings');
  const names = Array.isArray(secret) ? secret.map(String) : [];
  const settings = file === undefined ? undefined : await readObject('settings', file);
  const secrets = names.length === 0 ? undefined : await readSecrets(names);
  return {
    ...rest,
    settings,
    set,
    secrets,
    blockedStatuses: blockedStatus,
    flags: isPairs(flag)
      ? Object.fromEntries(Object.entries(flag).map(([name, text]) => [name, toBoolean(text)]))
      : undefined,
  };
}

/** Says so where the secrets cannot be opened, which is no news of the change. */
function noted(license: ShownLicense): ShownLicense {
  if (license.secrets === null) {
    process.stderr.write('Note: its secrets cannot be opened: APP_KEY lacks the key that sealed them.\n');
  }
  return license;
}

function isPairs(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}
