import { changeStoreSite, createStoreSite, storeSiteList } from '../services/admin/store-sites.js';
import {
  type CommandInput,
  type CommandOption,
  type Commands,
  PAGE_OPTIONS,
  textOrNone,
  toId,
} from './command.js';
import { readSecrets } from './input.js';

const REST_KEYS: readonly CommandOption[] = [
  [
    '--rest-keys',
    'read consumer key and secret of WooCommerce unseen: typed, or two lines of standard input',
  ],
  ['--store-url <url>', 'where WordPress is; https://<domain> where none is given'],
];
const COLUMNS = [
  'id',
  'account_id',
  'license_id',
  'platform',
  'domain',
  'callback_url',
  'store_url',
  'failing_since',
  'is_active',
];

/** The options, with the REST keys if they are requested. */
async function withKeys({ restKeys, ...options }: CommandInput['options']): Promise<Record<string, unknown>> {
  if (restKeys !== true) return options;
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = await readSecrets([
    'consumer_key',
    'consumer_secret',
  ]);
  return { ...options, consumerKey, consumerSecret };
}

export function addStoreSiteCommands(program: Commands): void {
  const noun = program.addNoun('store-sites', 'connected shops', 'store-sites list --account 1');
  noun.addChange({
    name: 'create',
    summary: "connect a shop's site to an account, or to one of its licenses",
    options: [
      ['--account <id>', 'required', toId],
      ['--license <key-or-id>', 'only this license; else every license of the account'],
      ['--platform <name>', 'required: woocommerce, shopify, magento, prestashop, wix or custom'],
      ['--domain <domain>', 'required, in lower case; unique within the account'],
      ['--callback-url <url>', 'told when the license is activated'],
      ...REST_KEYS,
    ],
    examples: [
      'store-sites create --account 1 --platform woocommerce --domain shop.blue.example',
      'store-sites create --account 1 --platform woocommerce --domain shop.blue.example --rest-keys < keys.txt',
      'store-sites create --account 1 --license 1 --platform shopify --domain blue.example --callback-url https://blue.example/activated',
    ],
    run: async (app, { options }) => createStoreSite(app, await withKeys(options)),
  });
  noun.add({
    name: 'list',
    summary: 'list sites by id',
    options: [['--account <id>', 'only those of this account', toId], ...PAGE_OPTIONS],
    examples: ['store-sites list', 'store-sites list --account 1 --json'],
    columns: COLUMNS,
    run: (app, { options }) => storeSiteList(app, options),
  });
  noun.addChange({
    name: 'change <id>',
    summary: "change a site's callback or REST keys",
    options: [
      ['--callback-url <url|none>', 'told when the license is activated', textOrNone],
      ...REST_KEYS,
      ['--remove-rest-keys', 'delete them; the plugin gets no more calls'],
    ],
    examples: [
      'store-sites change 1 --callback-url https://blue.example/activated',
      'store-sites change 1 --rest-keys < keys.txt',
    ],
    run: async (app, { args: [id = ''], options }) =>
      changeStoreSite(app, { ...(await withKeys(options)), id: toId(id) }),
  });
  noun.addSwitch({
    argument: '<id>',
    example: '1',
    disable: 'disconnect a site; it is kept, and told nothing',
    enable: 'connect a site again',
    run: (app, id, active) => changeStoreSite(app, { id: toId(id), active }),
  });
}
