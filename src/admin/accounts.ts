import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { AccountRecord } from '../db/queries/accounts/accounts.js';
import {
  accountList,
  changeAccount,
  createAccount,
  requireAccount,
  setAccountDisabled,
} from '../services/admin/accounts.js';
import { type CommandOption, type Commands, PAGE_OPTIONS, toBoolean, toId } from './command.js';
import { objectIn } from './input.js';

const LOOKS: readonly CommandOption[] = [
  ['--phone <phone>', 'phone on labels'],
  ['--locale <en|he|ar>', 'language of labels, mails and the tracking page'],
  ['--company-name <text>', 'name that recipients see'],
  ['--company-logo <url>', 'PNG, JPEG, WebP or GIF at a public address, or a data: URL'],
  ['--company-color <#rrggbb>', 'color of links, buttons and progress on the tracking page and in mails'],
  ['--support-email <address>', 'for recipients'],
  ['--support-phone <phone>', 'for recipients'],
  ['--tracker-page-contact-info <file>', 'JSON file: phone, email, whatsapp, website, hours', jsonFile],
  ['--can-use-collection-points <true|false>', 'pickup points may be used', toBoolean],
  ['--enable-sort-by-warehouse <true|false>', 'labels are sorted by warehouse location', toBoolean],
  ['--display-order-product <true|false>', 'products are shown to recipients', toBoolean],
  ['--display-product-price-in-order-detail <true|false>', 'prices are shown to recipients', toBoolean],
  ['--display-order-number-barcode <true|false>', "labels have the order number's barcode", toBoolean],
  ['--label-method <builtin|carrier>', 'who makes labels, where the license does not say'],
  ['--label-type <thermal|A4>', 'paper of labels, where the license does not say'],
];
const COLUMNS = ['id', 'name', 'email', 'enable_api', 'disabled_at'];

/** Missing settings that labels, tracking pages and mails use. */
function missingOf(account: AccountRecord): string[] {
  const { companyName, companyLogo, supportEmail, supportPhone } = account;
  return [
    ...(companyName === '' ? ['company name (they read the name of the account)'] : []),
    ...(companyLogo === '' ? ['logo'] : []),
    ...(supportEmail === '' ? ['support e-mail'] : []),
    ...(supportPhone === '' ? ['support phone'] : []),
  ];
}

export function addAccountCommands(program: Commands): void {
  const noun = program.addNoun(
    'accounts',
    'merchants',
    "accounts create --name 'Blue Shop' --email ops@blue.example",
  );
  noun.addChange({
    name: 'create',
    summary: 'make an account; credentials create then gives it access to the API',
    options: [['--name <text>', 'required'], ['--email <address>', 'required'], ...LOOKS],
    examples: [
      "accounts create --name 'Blue Shop' --email ops@blue.example",
      "accounts create --name 'Blue Shop' --email ops@blue.example --locale he --json",
    ],
    run: (app, { options }) => createAccount(app, options),
  });
  noun.add({
    name: 'list',
    summary: 'list accounts by id',
    options: PAGE_OPTIONS,
    examples: ['accounts list', 'accounts list --after-id 100 --json'],
    columns: COLUMNS,
    run: (app, { options }) => accountList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show an account',
    examples: ['accounts show 1'],
    run: async (app, { args: [id = ''] }) => {
      const account = await requireAccount(app, toId(id), 'id');
      const missing = missingOf(account);
      if (missing.length > 0) process.stderr.write(`Note: recipients see no ${missing.join(', no ')}.\n`);
      return account;
    },
  });
  noun.addChange({
    name: 'change <id>',
    summary: 'change what is named, leave the rest',
    options: [['--name <text>', ''], ['--email <address>', ''], ...LOOKS],
    examples: ["accounts change 1 --support-phone 03-5550100 --company-name 'Blue'"],
    run: (app, { args: [id = ''], options }) => changeAccount(app, { ...options, id: toId(id) }),
  });
  addSwitches(noun);
}

function addSwitches(noun: Commands): void {
  noun.addSwitch({
    argument: '<id>',
    example: '1',
    disable: 'end everything of an account: APIs, license keys, tokens, webhooks, polling',
    enable: 'let a disabled account do everything again',
    run: (app, id, isEnabled) => setAccountDisabled(app, { id: toId(id), isDisabled: !isEnabled }),
  });
  noun.addSwitch({
    argument: '<id>',
    example: '1',
    part: 'api',
    disable: 'refuse the credentials of API v2; disable ends the rest, too',
    enable: 'let an account use API v2 again',
    run: (app, id, enableApi) => changeAccount(app, { id: toId(id), enableApi }),
  });
}

function jsonFile(path: string): object {
  try {
    return objectIn(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
