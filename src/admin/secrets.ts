import { appSecretState, rotateAppSecret, setAppSecret } from '../services/admin/app-secret.js';
import {
  createCredentials,
  credentialList,
  disableCredentials,
  revokeCredentials,
  rotateCredentials,
} from '../services/admin/credentials.js';
import { issueUserToken, revokeToken, tokenList } from '../services/admin/tokens.js';
import { type CommandOption, type Commands, PAGE_OPTIONS, toId } from './command.js';
import { readSecrets } from './input.js';

const ONCE = 'It is shown only now.';

export function addCredentialCommands(program: Commands): void {
  const noun = program.addNoun('credentials', 'client ids and secrets of API v2', 'credentials create 1');
  addIssuingCommands(noun);
  noun.add({
    name: 'list <account-id>',
    summary: 'list those that work, with their last use',
    examples: ['credentials list 1'],
    columns: ['name', 'client_id', 'is_read_only', 'expires_at', 'last_used_at', 'created_at'],
    run: (app, { args: [account = ''] }) => credentialList(app, { account: toId(account) }),
  });
  noun.addChange({
    name: 'revoke <client-id>',
    summary: 'end one of that list at once',
    examples: ['credentials revoke ci_0123456789abcdef'],
    run: (app, { args: [clientId] }) => revokeCredentials(app, { clientId }),
  });
  noun.addChange({
    name: 'disable <account-id>',
    summary: 'end all of an account at once; credentials create makes new ones',
    examples: ['credentials disable 1'],
    run: (app, { args: [account = ''] }) => disableCredentials(app, { account: toId(account) }),
  });
}

function addIssuingCommands(noun: Commands): void {
  const expires: CommandOption = [
    '--expires <date|never>',
    'when they end: 2027-01-31 (the end of that day in Israel) or 2027-01-31T22:00:00Z',
  ];
  noun.addChange({
    name: 'create <account-id>',
    summary: 'make credentials beside those that there are; the secret is shown this once',
    options: [
      ['--name <text>', 'what they are for (default: main)'],
      expires,
      ['--read-only', 'for GET requests alone'],
    ],
    examples: [
      'credentials create 1',
      "credentials create 1 --name 'monthly report' --read-only --expires 2027-12-31 --json",
    ],
    note: ONCE,
    run: (app, { args: [account = ''], options }) =>
      createCredentials(app, { ...options, account: toId(account) }),
  });
  noun.addChange({
    name: 'rotate <client-id>',
    summary: 'replace them by new ones, shown this once; the old ones work for --overlap longer',
    options: [['--overlap <24h>', 'how long: 90m, 7d, or none to end them at once (default: 24h)'], expires],
    examples: [
      'credentials rotate ci_0123456789abcdef',
      'credentials rotate ci_0123456789abcdef --overlap 7d --expires 2028-01-31',
    ],
    note: ONCE,
    run: (app, { args: [clientId], options }) => rotateCredentials(app, { ...options, clientId }),
  });
}

export function addTokenCommands(program: Commands): void {
  const owner: readonly CommandOption[] = [
    ['--user <id-or-email>', 'of a merchant user'],
    ['--recipient <phone-or-id>', 'of a recipient'],
  ];
  const noun = program.addNoun('tokens', 'personal access tokens of API v1', 'tokens list --user 1');
  noun.addChange({
    name: 'issue',
    summary: 'make a token, shown this once; earlier ones stay valid',
    options: [...owner, ['--name <text>', 'required: what it is for']],
    examples: [
      'tokens issue --user dana@blue.example --name plugin',
      'tokens issue --recipient 0547654321 --name phone',
    ],
    note: ONCE,
    run: (app, { options }) => issueUserToken(app, options),
  });
  noun.add({
    name: 'list',
    summary: 'list tokens by id, without their secrets',
    options: [...owner, ...PAGE_OPTIONS],
    examples: ['tokens list', 'tokens list --user dana@blue.example --json'],
    columns: ['id', 'user_id', 'recipient_id', 'name', 'last_used_at', 'created_at'],
    run: (app, { options }) => tokenList(app, options),
  });
  noun.addChange({
    name: 'revoke <id>',
    summary: 'end a token at once; its id is the number before the bar',
    examples: ['tokens revoke 1'],
    run: (app, { args: [id = ''] }) => revokeToken(app, { id: toId(id) }),
  });
}

export function addAppSecretCommands(program: Commands): void {
  const noun = program.addNoun('app-secret', "X-App-Secret of the recipients' app", 'app-secret rotate');
  noun.addChange({
    name: 'rotate',
    summary: 'make a new one, shown this once; the old one stops working at once',
    examples: ['app-secret rotate', 'app-secret rotate --json'],
    note: ONCE,
    run: (app) => rotateAppSecret(app),
  });
  noun.addChange({
    name: 'set',
    summary: 'set one that apps have already, read unseen: typed, or a line of standard input',
    examples: ['app-secret set', 'app-secret set < secret.txt'],
    run: async (app) => setAppSecret(app, await readSecrets(['secret'])),
  });
  noun.add({
    name: 'show',
    summary: 'show whether one is set, its end, and since when',
    examples: ['app-secret show'],
    run: (app) => appSecretState(app),
  });
}
