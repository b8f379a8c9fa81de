import type { Command } from 'commander';
import { appSecretState, rotateAppSecret, setAppSecret } from '../services/admin/app-secret.js';
import {
  createCredentials,
  disableCredentials,
  otherCredentials,
  revokeCredentials,
  rotateCredentials,
} from '../services/admin/credentials.js';
import { issueUserToken, revokeToken, tokenList } from '../services/admin/tokens.js';
import {
  addChangeCommand,
  addCommand,
  addNoun,
  type CommandOption,
  PAGE_OPTIONS,
  type Session,
  toId,
} from './command.js';
import { readSecrets } from './input.js';

const ONCE = 'It is shown only now.';

export function addCredentialCommands(program: Command, session: Session): void {
  const noun = addNoun(program, 'credentials', 'client id and secret of API v2', 'credentials create 1');
  addChangeCommand(noun, session, {
    name: 'create',
    arguments: ['<account-id>'],
    summary: 'make the credentials of an account that has none; the secret is shown this once',
    examples: ['credentials create 1', 'credentials create 1 --json'],
    note: ONCE,
    run: (app, { args: [account = ''] }) => createCredentials(app, { account: toId(account) }),
  });
  addChangeCommand(noun, session, {
    name: 'rotate',
    arguments: ['<account-id>'],
    summary: 'replace them, shown this once; the old ones stop working at once, or after --overlap',
    options: [['--overlap <24h>', 'how long the old ones work beside the new ones: 90m, 24h, 7d']],
    examples: ['credentials rotate 1', 'credentials rotate 1 --overlap 24h'],
    note: ONCE,
    run: (app, { args: [account = ''], options }) =>
      rotateCredentials(app, { ...options, account: toId(account) }),
  });
  addCommand(noun, session, {
    name: 'list',
    arguments: ['<account-id>'],
    summary: 'list those that work beside the current ones, with their last use',
    examples: ['credentials list 1'],
    columns: ['id', 'name', 'client_id', 'expires_at', 'last_used_at'],
    run: (app, { args: [account = ''] }) => otherCredentials(app, { account: toId(account) }),
  });
  addChangeCommand(noun, session, {
    name: 'revoke',
    arguments: ['<id>'],
    summary: 'end one of that list at once',
    examples: ['credentials revoke 1'],
    run: (app, { args: [id = ''] }) => revokeCredentials(app, { id: toId(id) }),
  });
  addChangeCommand(noun, session, {
    name: 'disable',
    arguments: ['<account-id>'],
    summary: 'end all of them at once; credentials create makes new ones',
    examples: ['credentials disable 1'],
    run: (app, { args: [account = ''] }) => disableCredentials(app, { account: toId(account) }),
  });
}

export function addTokenCommands(program: Command, session: Session): void {
  const owner: readonly CommandOption[] = [
    ['--user <id-or-email>', 'of a merchant user'],
    ['--recipient <phone-or-id>', 'of a recipient'],
  ];
  const noun = addNoun(program, 'tokens', 'personal access tokens of API v1', 'tokens list --user 1');
  addChangeCommand(noun, session, {
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
  addCommand(noun, session, {
    name: 'list',
    summary: 'list tokens by id, without their secrets',
    options: [...owner, ...PAGE_OPTIONS],
    examples: ['tokens list', 'tokens list --user dana@blue.example --json'],
    columns: ['id', 'user_id', 'recipient_id', 'name', 'last_used_at', 'created_at'],
    run: (app, { options }) => tokenList(app, options),
  });
  addChangeCommand(noun, session, {
    name: 'revoke',
    arguments: ['<id>'],
    summary: 'end a token at once; its id is the number before the bar',
    examples: ['tokens revoke 1'],
    run: (app, { args: [id = ''] }) => revokeToken(app, { id: toId(id) }),
  });
}

export function addAppSecretCommands(program: Command, session: Session): void {
  const noun = addNoun(program, 'app-secret', "X-App-Secret of the recipients' app", 'app-secret rotate');
  addChangeCommand(noun, session, {
    name: 'rotate',
    summary: 'make a new one, shown this once; the old one stops working at once',
    examples: ['app-secret rotate', 'app-secret rotate --json'],
    note: ONCE,
    run: (app) => rotateAppSecret(app),
  });
  addChangeCommand(noun, session, {
    name: 'set',
    summary: 'set one that apps have already, read unseen: typed, or a line of standard input',
    examples: ['app-secret set', 'app-secret set < secret.txt'],
    run: async (app) => setAppSecret(app, await readSecrets(['secret'])),
  });
  addCommand(noun, session, {
    name: 'show',
    summary: 'show whether one is set, its end, and since when',
    examples: ['app-secret show'],
    run: (app) => appSecretState(app),
  });
}
